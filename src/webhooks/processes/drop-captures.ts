import { Injectable } from '@nestjs/common';
import type { JobHandler } from '../../engine/registry.js';
import type { Job } from '../../kernel/jobs.js';
import { CAPTURE_DROP_QUEUE, Captures, MAX_RETENTION_MS } from '../delivery/captures.js';

/** Drops the captures of a day after the retention time. */
@Injectable()
export class DropCaptures {
  readonly handlers: readonly JobHandler[];

  constructor(captures: Captures) {
    const run = ({ data }: Job) => captures.dropDay((data as { day: string }).day);
    this.handlers = [{ queue: CAPTURE_DROP_QUEUE, concurrency: 1, maxDelayMs: MAX_RETENTION_MS, run }];
  }
}

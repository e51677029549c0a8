import { Injectable } from '@nestjs/common';
import type { JobHandler } from '../../engine/registry.js';
import type { Job } from '../../kernel/jobs.js';
import { type CapturedDay, captureDrops, Captures, MAX_RETENTION_MS } from '../delivery/captures.js';

/** Drops the captures of a day after the retention time. */
@Injectable()
export class DropCaptures implements JobHandler<CapturedDay> {
  readonly queue = captureDrops;
  readonly concurrency = 1;
  readonly maxDelayMs = MAX_RETENTION_MS;

  constructor(private readonly captures: Captures) {}

  run({ data }: Job<CapturedDay>): Promise<void> {
    return this.captures.dropDay(data.day);
  }
}

import { Injectable, Logger } from '@nestjs/common';
import type { Again } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Job } from '../../kernel/jobs.js';
import { replayJob } from '../domain/replay-job.js';

const AFTER_A_FAULT_MS = 5_000;
const TRIES = 5;

/** Handles an error in the work of a replay job. */
@Injectable()
export class ReplayFaults {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /**
   * Reschedules the job while a store is unavailable. After any other error the job is tried a few times; then it fails
   * and its chains are released.
   */
  async after(
    error: unknown,
    { failures, data }: Job & { readonly data: { readonly replayJobId: string } },
    context: Context,
  ): Promise<Again> {
    if (error instanceof StoreUnavailable) return { again: iso(this.clock.now() + AFTER_A_FAULT_MS), why: error.message };
    if (failures + 1 !== TRIES) throw error;
    this.logger.error({ err: error, replayJobId: data.replayJobId }, 'replay_job_failed');
    const command = { type: 'FailReplayJob', error: 'service_failure' } as const;
    await this.streams.execute(replayJob, data.replayJobId, command, step(context, 'fail'));
    return { again: iso(this.clock.now()), why: 'the replay job has failed' };
  }
}

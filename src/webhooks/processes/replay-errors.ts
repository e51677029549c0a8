import { Injectable, Logger } from '@nestjs/common';
import type { Reschedule } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Job } from '../../kernel/jobs.js';
import { replayJobDecider } from '../domain/replay-job.js';

const RETRY_AFTER_ERROR_MS = 5_000;
const MAX_TRIES = 5;

/** Handles an error in the work of a replay job. */
@Injectable()
export class ReplayErrors {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /**
   * Reschedules the job while a store is unavailable. After any other error the job is tried a few times; then it fails
   * and its chains are released.
   */
  async handle(
    error: unknown,
    { failures, data }: Job<{ readonly replayJobId: string }>,
    context: Context,
  ): Promise<Reschedule> {
    if (error instanceof StoreUnavailable)
      return { at: toIso(this.clock.now() + RETRY_AFTER_ERROR_MS), reason: error.message };
    if (failures + 1 !== MAX_TRIES) throw error;
    this.logger.error({ err: error, replayJobId: data.replayJobId }, 'replay_job_failed');
    const command = { type: 'FailReplayJob', error: 'service_failure' } as const;
    await this.streams.execute(replayJobDecider, data.replayJobId, command, createChildContext(context, 'fail'));
    return { at: toIso(this.clock.now()), reason: 'the replay job has failed' };
  }
}

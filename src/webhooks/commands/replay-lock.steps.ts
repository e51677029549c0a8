import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { Clock } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { isReplayJobFinished, replayJobDecider } from '../domain/replay-job.js';
import { findConflictingJobs, type ReplayLock, replayLockDecider, replayLockIdOf } from '../domain/replay-lock.js';

/** A job that was not requested within this time was left by a crash. */
const CREATION_TIMEOUT_MS = 60_000;

/**
 * The replay locks of a business. A job locks its endpoints before it is requested. A later job releases the locks of
 * finished jobs.
 */
@Injectable()
export class ReplayLockSteps {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** @throws Rejection `replay_job_conflict` */
  async acquire(replayJobId: string, endpointId: string | null, context: Context): Promise<void> {
    const locks = await this.streams.loadState(replayLockDecider, lockIdOf(context));
    const conflicting = findConflictingJobs(endpointId, locks).filter((job) => job !== replayJobId);
    await Promise.all(conflicting.map((job) => this.releaseIfFinished(job, locks.get(job)!, context)));
    const command = { type: 'AcquireReplayLock', replayJobId, endpointId } as const;
    await this.streams.execute(
      replayLockDecider,
      lockIdOf(context),
      command,
      createChildContext(context, 'take', replayJobId),
    );
  }

  async release(replayJobId: string, context: Context): Promise<void> {
    const command = { type: 'ReleaseReplayLock', replayJobId } as const;
    await this.streams.execute(
      replayLockDecider,
      lockIdOf(context),
      command,
      createChildContext(context, 'free', replayJobId),
    );
  }

  private async releaseIfFinished(replayJobId: string, { at }: ReplayLock, context: Context): Promise<void> {
    let found = await this.streams.loadState(replayJobDecider, replayJobId);
    if (found.status === 'unknown' && this.clock.now() - Date.parse(at) > CREATION_TIMEOUT_MS) {
      const abandon = { type: 'AbandonReplayJob', replayJobId } as const;
      found = (
        await this.streams.execute(
          replayJobDecider,
          replayJobId,
          abandon,
          createChildContext(context, 'abandon', replayJobId),
        )
      ).state;
    }
    if (isReplayJobFinished(found)) await this.release(replayJobId, context);
  }
}

function lockIdOf({ business, mode }: Context): string {
  return replayLockIdOf(business!, mode);
}

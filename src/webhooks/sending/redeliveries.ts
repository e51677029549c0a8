import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { iso, Clock } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { Jobs } from '../../kernel/jobs.js';
import { chain, type Chain, type Run, type Sending } from '../domain/chain.js';
import { placeOfDelivery } from '../domain/delivery-id.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { isHeldBy } from '../domain/holding.js';
import { Attempts } from './attempts.js';
import { Backlogs } from './backlogs.js';
import { attemptJob } from './chain-jobs.js';

/** A chain that a replay job has selected. `record`: the id of the chain's latest delivery at that time. */
export interface Selected {
  readonly replayJobId: string;
  readonly endpointId: string;
  readonly record: string;
}

/**
 * Performs the steps of a replay job on one delivery chain. The chain's stream records each step, so no step repeats.
 */
@Injectable()
export class Redeliveries {
  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly backlogs: Backlogs,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** @param context is the same in every run of the job, so that a repeated run records no second skip */
  async hold({ replayJobId, endpointId, record }: Selected, context: Context): Promise<void> {
    const { chainId, attempt } = placeOfDelivery(record)!;
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    const command = { type: 'HoldChain', replayJobId, attempt, target } as const;
    await this.streams.execute(chain, chainId, command, step(context, 'hold', replayJobId, chainId));
  }

  async isHeld({ replayJobId, record }: Selected): Promise<boolean> {
    return isHeldBy(await this.streams.state(chain, placeOfDelivery(record)!.chainId), replayJobId);
  }

  /** Sends a chain that the job holds, or ends an attempt that an earlier run left open. */
  async redeliver({ replayJobId, endpointId, record }: Selected, run: Run, laneContext: Context): Promise<void> {
    const { chainId } = placeOfDelivery(record)!;
    const context = step(laneContext, chainId);
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    const command = { type: 'Redeliver', replayJobId, target, leaseMs: this.attempts.leaseMs('job'), run } as const;
    const begun = await this.streams.execute(chain, chainId, command, step(context, 'redeliver'));
    const { state } = begun;
    if (!isOpenFor(replayJobId, state)) return this.followUp(state, context);

    const hasStarted = begun.recorded.length > 0;
    const after = hasStarted
      ? (await this.attempts.carryOut(state.facts, state.open, context)).state
      : await this.lose(state, run, context);
    await this.followUp(after, context);
  }

  async release({ replayJobId, record }: Selected, context: Context): Promise<void> {
    const { chainId } = placeOfDelivery(record)!;
    const command = { type: 'ReleaseChain', replayJobId } as const;
    const { state } = await this.streams.execute(chain, chainId, command, step(context, 'release', chainId));
    await this.followUp(state, context);
  }

  private async lose({ facts: { chainId }, open: { attempt } }: Sending, laterRun: Run, context: Context): Promise<Chain> {
    const command = { type: 'LoseAttempt', attempt, laterRun, retries: this.attempts.retries() } as const;
    return (await this.attempts.end(chainId, command, step(context, 'lose', attempt))).state;
  }

  /**
   * Makes the existing job of a due retry due, also in a backlog. Enqueues a job if none waits or the retry is not due
   * yet.
   */
  private async followUp(state: Chain, { correlationId, causationId }: Context): Promise<void> {
    if (state.status !== 'waiting') return;
    const { chainId, endpointId, businessId, mode } = state.facts;
    const job = attemptJob(state.attempts, state.dueAt, { chainId, endpointId, businessId, mode, correlationId, causationId });
    const isDue = state.dueAt <= iso(this.clock.now());
    if (!(isDue && (await this.backlogs.callBack(job)))) await this.jobs.put([job]);
  }
}

/** Returns true when this replay job started the open attempt, in this run or an earlier one. */
function isOpenFor(replayJobId: string, state: Chain): state is Sending {
  return state.status === 'sending' && state.open.replayJobId === replayJobId;
}

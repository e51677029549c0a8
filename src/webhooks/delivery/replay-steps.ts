import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Jobs } from '../../kernel/jobs.js';
import { deliveryChain } from '../domain/delivery-chain/delivery-chain.js';
import type { AttemptOwner, DeliveryChain, SendingChain } from '../domain/delivery-chain/facts.js';
import { isHeldBy } from '../domain/delivery-chain/replay-hold.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import { endpoint, toEndpointState } from '../domain/endpoint.js';
import { Attempts } from './attempts.js';
import { Backlogs } from './backlogs.js';
import { toAttemptJob } from './delivery-jobs.js';

/** A chain that a replay job has selected. `record`: the id of the chain's latest delivery at that time. */
export interface SelectedChain {
  readonly replayJobId: string;
  readonly endpointId: string;
  readonly record: string;
}

/**
 * Performs the steps of a replay job on one delivery chain. The chain's stream records each step, so no step repeats.
 */
@Injectable()
export class ReplaySteps {
  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly backlogs: Backlogs,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** @param context is the same in every run of the job, so that a repeated run records no second skip */
  async hold({ replayJobId, endpointId, record }: SelectedChain, context: Context): Promise<void> {
    const { chainId, attempt } = parseDeliveryId(record)!;
    const endpointState = toEndpointState(await this.streams.loadState(endpoint, endpointId));
    const command = { type: 'HoldDeliveryChain', replayJobId, attempt, target: endpointState } as const;
    await this.streams.execute(
      deliveryChain,
      chainId,
      command,
      createChildContext(context, 'hold', replayJobId, chainId),
    );
  }

  async isHeld({ replayJobId, record }: SelectedChain): Promise<boolean> {
    return isHeldBy(await this.streams.loadState(deliveryChain, parseDeliveryId(record)!.chainId), replayJobId);
  }

  /** Sends a chain that the job holds, or ends an attempt that an earlier run left open. */
  async redeliver(
    { replayJobId, endpointId, record }: SelectedChain,
    owner: AttemptOwner,
    batchContext: Context,
  ): Promise<void> {
    const { chainId } = parseDeliveryId(record)!;
    const context = createChildContext(batchContext, chainId);
    const endpointState = toEndpointState(await this.streams.loadState(endpoint, endpointId));
    const command = {
      type: 'RedeliverChain',
      replayJobId,
      target: endpointState,
      leaseMs: this.attempts.leaseMsFor('job'),
      owner,
    } as const;
    const outcome = await this.streams.execute(
      deliveryChain,
      chainId,
      command,
      createChildContext(context, 'redeliver'),
    );
    const { state } = outcome;
    if (!isOpenFor(replayJobId, state)) return this.scheduleNext(state, context);

    const hasStarted = outcome.recorded.length > 0;
    const after = hasStarted
      ? (await this.attempts.carryOut(state.facts, state.open, context)).state
      : await this.lose(state, owner, context);
    await this.scheduleNext(after, context);
  }

  async release({ replayJobId, record }: SelectedChain, context: Context): Promise<void> {
    const { chainId } = parseDeliveryId(record)!;
    const command = { type: 'ReleaseDeliveryChain', replayJobId } as const;
    const { state } = await this.streams.execute(
      deliveryChain,
      chainId,
      command,
      createChildContext(context, 'release', chainId),
    );
    await this.scheduleNext(state, context);
  }

  private async lose(
    { facts: { chainId }, open: { attempt } }: SendingChain,
    laterOwner: AttemptOwner,
    context: Context,
  ): Promise<DeliveryChain> {
    const command = { type: 'LoseAttempt', attempt, laterOwner, retries: this.attempts.drawRetryPolicy() } as const;
    return (await this.attempts.recordEnd(chainId, command, createChildContext(context, 'lose', attempt))).state;
  }

  /**
   * Makes the existing job of a due retry due, also in a backlog. Enqueues a job if none waits or the retry is not due
   * yet.
   */
  private async scheduleNext(state: DeliveryChain, { correlationId, causationId }: Context): Promise<void> {
    if (state.status !== 'waiting') return;
    const { chainId, endpointId, businessId, mode } = state.facts;
    const job = toAttemptJob(state.attempts, state.dueAt, {
      chainId,
      endpointId,
      businessId,
      mode,
      correlationId,
      causationId,
    });
    const isDue = state.dueAt <= toIso(this.clock.now());
    if (!(isDue && (await this.backlogs.makeDue(job)))) await this.jobs.enqueue([job]);
  }
}

/** Returns true when this replay job started the open attempt, in this run or an earlier one. */
function isOpenFor(replayJobId: string, state: DeliveryChain): state is SendingChain {
  return state.status === 'sending' && state.open.replayJobId === replayJobId;
}

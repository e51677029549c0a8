import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { AttemptOwner, DeliveryChain, SendingChain } from '../domain/delivery-chain/facts.js';
import { isHeldBy } from '../domain/delivery-chain/replay-hold.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';
import { AttemptRunner } from './attempt-runner.js';
import type { Destination } from './destinations.js';

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
    private readonly runner: AttemptRunner,
  ) {}

  /** @param context is the same in every run of the job, so that a repeated run records no second skip */
  async hold({ replayJobId, endpointId, record }: SelectedChain, context: Context): Promise<void> {
    const { chainId, attempt } = parseDeliveryId(record)!;
    const endpointState = toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
    const command = { type: 'HoldDeliveryChain', replayJobId, attempt, endpointState } as const;
    const holdContext = createChildContext(context, 'hold', replayJobId, chainId);
    await this.streams.execute(deliveryChainDecider, chainId, command, holdContext);
  }

  async isHeld({ replayJobId, record }: SelectedChain): Promise<boolean> {
    return isHeldBy(await this.streams.loadState(deliveryChainDecider, parseDeliveryId(record)!.chainId), replayJobId);
  }

  /** Sends a chain that the job holds, or ends an attempt that an earlier run left open. */
  async redeliver(
    { replayJobId, endpointId, record }: SelectedChain,
    owner: AttemptOwner,
    batchContext: Context,
    destination: Destination | null,
  ): Promise<void> {
    const { chainId } = parseDeliveryId(record)!;
    const context = createChildContext(batchContext, chainId);
    const endpointState = toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
    const leaseMs = this.runner.leaseMsFor('job');
    const command = { type: 'RedeliverChain', replayJobId, endpointState, leaseMs, owner } as const;
    const run = await this.runner.start({ chainId, command, context, label: 'redeliver', destination });
    const { state } = await run.ended;
    const isLost = !run.hasStarted && isOpenFor(replayJobId, state);
    const after = isLost ? (await this.runner.expire(chainId, state.open.attempt, owner, context)).state : state;
    await this.runner.scheduleNext(after, context);
  }

  async release({ replayJobId, record }: SelectedChain, context: Context): Promise<void> {
    const { chainId } = parseDeliveryId(record)!;
    const command = { type: 'ReleaseDeliveryChain', replayJobId } as const;
    const releaseContext = createChildContext(context, 'release', chainId);
    const { state } = await this.streams.execute(deliveryChainDecider, chainId, command, releaseContext);
    await this.runner.scheduleNext(state, context);
  }
}

/** Returns true when this replay job started the open attempt, in this run or an earlier one. */
function isOpenFor(replayJobId: string, state: DeliveryChain): state is SendingChain {
  return state.status === 'sending' && state.open.replayJobId === replayJobId;
}

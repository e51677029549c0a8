import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { render } from '../../kernel/projection.js';
import { requireFound } from '../../kernel/rejection.js';
import { toReceiver } from '../delivery/receiver.js';
import { findStartedAttempt, SynchronousAttempts } from '../delivery/synchronous-attempts.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { Attempt, KnownDeliveryChain } from '../domain/delivery-chain/facts.js';
import { assertReplayable } from '../domain/delivery-chain/replay-rules.js';
import { parseDeliveryId } from '../domain/delivery-id.js';
import { endpointDecider, type KnownEndpoint, toEndpointState } from '../domain/endpoint.js';
import { deliveries, type DeliveryDocument } from '../projections/deliveries.js';

export class ReplayDelivery extends ContextCommand<{ deliveryId: string }, DeliveryDocument> {}

@CommandHandler(ReplayDelivery)
export class ReplayDeliveryHandler implements ICommandHandler<ReplayDelivery> {
  constructor(
    private readonly streams: Streams,
    private readonly owned: OwnedStreams,
    private readonly attempts: SynchronousAttempts,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { deliveryId } }: ReplayDelivery): Promise<DeliveryDocument> {
    const parsed = requireFound(parseDeliveryId(deliveryId));
    const { chainId, attempt } = parsed;
    const found = await this.owned.require(deliveryChainDecider, chainId, context);
    const started = findStartedAttempt(context, await this.streams.loadHistory(deliveryChainDecider, chainId));
    if (started !== null) return toDocument(started, await this.attempts.waitForEnd(chainId, started, context));
    return this.replay(found, attempt, context);
  }

  /** Checks the replay before it waits for a slot. The decider checks it again at the start. */
  private async replay(found: KnownDeliveryChain, attempt: number, context: Context): Promise<DeliveryDocument> {
    const { chainId, endpointId } = found.facts;
    const endpoint = await this.streams.loadState(endpointDecider, endpointId);
    const endpointState = toEndpointState(endpoint);
    assertReplayable(found, attempt, endpointState, toIso(this.clock.now()));
    const receiver = toReceiver(endpointId, (endpoint as KnownEndpoint).settings);
    return this.attempts.runInSlot(receiver, async (destination) => {
      const start = { type: 'Replay', attempt, endpointState } as const;
      const history = await this.attempts.send(chainId, start, context, destination);
      return toDocument(findStartedAttempt(context, history)!, history);
    });
  }
}

function toDocument({ deliveryId }: Attempt, history: readonly RecordedEvent[]): DeliveryDocument {
  return render(deliveries, deliveryId, history);
}

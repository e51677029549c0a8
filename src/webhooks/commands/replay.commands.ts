import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { chain, type Attempt, type KnownChain } from '../domain/chain.js';
import { placeOfDelivery } from '../domain/delivery-id.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { refuseReplay } from '../domain/replay-rules.js';
import { deliveries, type DeliveryDocument } from '../projections/deliveries.js';
import { attemptBegunBy, WatchedAttempts } from '../sending/watched-attempts.js';

export class ReplayDelivery extends Command<DeliveryDocument> {
  constructor(
    readonly context: Context,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@CommandHandler(ReplayDelivery)
export class ReplayDeliveryHandler implements ICommandHandler<ReplayDelivery> {
  constructor(
    private readonly streams: Streams,
    private readonly watched: WatchedAttempts,
    private readonly clock: Clock,
  ) {}

  async execute({ context, deliveryId }: ReplayDelivery): Promise<DeliveryDocument> {
    const place = placeOfDelivery(deliveryId);
    if (place === null) throw Rejection.notFound();
    const { chainId, attempt } = place;
    const found = await this.own(chainId, context);
    const begun = attemptBegunBy(context, await this.streams.history(chain, chainId));
    if (begun !== null) return recordOf(begun, await this.watched.ended(chainId, begun, context));
    return this.replay(found, attempt, context);
  }

  private async own(chainId: string, { business, mode }: Context): Promise<KnownChain> {
    const found = await this.streams.state(chain, chainId);
    if (found.status === 'unknown' || found.facts.businessId !== business || found.facts.mode !== mode) throw Rejection.notFound();
    return found;
  }

  /** Checks the replay before it waits for a slot. The decider checks it again at the start. */
  private async replay(found: KnownChain, attempt: number, context: Context): Promise<DeliveryDocument> {
    const { chainId, endpointId } = found.facts;
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    refuseReplay(found, attempt, target, iso(this.clock.now()));
    return this.watched.inSlot(endpointId, async () => {
      const start = { type: 'Replay', attempt, target, leaseMs: this.watched.leaseMs('replay') } as const;
      const history = await this.watched.send(chainId, start, context);
      return recordOf(attemptBegunBy(context, history)!, history);
    });
  }
}

function recordOf({ deliveryId }: Attempt, history: readonly Recorded[]): DeliveryDocument {
  return render(deliveries, deliveryId, history);
}

import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { delivery, type Attempt, type KnownDelivery } from '../domain/delivery.js';
import { placeOfDelivery } from '../domain/delivery-id.js';
import { refuseReplay } from '../domain/delivery-refusal.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
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
    const { chainId, attempt } = placeOfDelivery(deliveryId) ?? notFound();
    const found = await this.own(chainId, context);
    const begun = attemptBegunBy(context, await this.streams.history(delivery, chainId));
    if (begun !== null) return recordOf(begun, await this.watched.ended(chainId, begun, context));
    return this.replay(found, attempt, context);
  }

  private async own(chainId: string, { business, mode }: Context): Promise<KnownDelivery> {
    const found = await this.streams.state(delivery, chainId);
    return found.status !== 'unknown' && found.chain.businessId === business && found.chain.mode === mode ? found : notFound();
  }

  /** Whatever refuses it is said before a slot is waited for, and decided again when it starts. */
  private async replay(found: KnownDelivery, attempt: number, context: Context): Promise<DeliveryDocument> {
    const { chainId, endpointId } = found.chain;
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

function notFound(): never {
  throw Rejection.notFound();
}

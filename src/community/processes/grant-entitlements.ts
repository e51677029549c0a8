import { Injectable } from '@nestjs/common';
import type { Buyer } from '../../commerce/domain/buyer.js';
import { orderDecider, type OrderEvent } from '../../commerce/domain/order.js';
import { subscriptionDecider } from '../../commerce/domain/subscription.js';
import type { SubscriptionEvent } from '../../commerce/domain/subscription-events.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { entitlementDecider, entitlementIdOf } from '../domain/entitlement.js';

type OrderCompleted = Extract<OrderEvent, { type: 'OrderCompleted' }>;
type SubscriptionCancelled = Extract<SubscriptionEvent, { type: 'SubscriptionCancelled' }>;

interface Purchase {
  readonly productId: string;
  readonly buyer: Buyer;
  readonly source: string;
}

/** Entitles the buyers of live orders to the communities of their products, until a subscription ends. */
@Injectable()
export class GrantEntitlements implements Reactor<OrderCompleted | SubscriptionCancelled> {
  readonly name = 'grant-entitlements';
  readonly types = typesOf<OrderCompleted | SubscriptionCancelled>({
    OrderCompleted: true,
    SubscriptionCancelled: true,
  });

  constructor(private readonly streams: Streams) {}

  async react(event: RecordedOf<OrderCompleted | SubscriptionCancelled>): Promise<void> {
    if (event.meta.mode !== 'live') return;
    if (event.type === 'OrderCompleted') await this.grant(event);
    else await this.end(event.data.subscriptionId, createEventContext(event, this.name));
  }

  private async grant(event: RecordedOf<OrderCompleted>): Promise<void> {
    const order = await this.streams.loadState(orderDecider, event.data.orderId);
    if (order.status === 'unknown') return;
    const { buyer, lines } = order.placed;
    const granted = lines.map(({ productId, lineId, subscriptionId }) =>
      this.record(
        'GrantEntitlement',
        { productId, buyer, source: subscriptionId ?? lineId },
        createEventContext(event, this.name, lineId),
      ),
    );
    await Promise.all(granted);
  }

  private async end(subscriptionId: string, context: Context): Promise<void> {
    const subscription = await this.streams.loadState(subscriptionDecider, subscriptionId);
    if (subscription.status === 'unknown') return;
    const { productId, buyer } = subscription.agreement.start;
    await this.record('EndEntitlement', { productId, buyer, source: subscriptionId }, context);
  }

  private async record(
    type: 'GrantEntitlement' | 'EndEntitlement',
    { productId, buyer, source }: Purchase,
    context: Context,
  ): Promise<void> {
    const emailHash = buyer.email.hash;
    const command = { type, productId, emailHash, source };
    await this.streams.execute(entitlementDecider, entitlementIdOf(productId, emailHash), command, context);
  }
}

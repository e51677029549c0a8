import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { type Owned, toOwnerFilter } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { Filter, Where } from '../../kernel/read-models.js';
import { installmentPlanDecider } from '../domain/installment-plan.js';
import { isOpen } from '../domain/installment-plan-state.js';
import { listInstallmentPlanIds } from '../domain/installment-start.js';
import { orderDecider } from '../domain/order.js';
import { paymentDecider } from '../domain/payment.js';
import { subscriptionDecider } from '../domain/subscription.js';
import { listInstallmentLineIds, orders } from '../projections/orders.js';
import { payments } from '../projections/payments.js';
import { BUYER_PATH, HIDDEN_BUYER_PATH } from '../projections/resources.js';
import { subscriptions } from '../projections/subscriptions.js';
import { ForgottenBuyers, isActiveSubscription } from './forgotten-buyers.steps.js';
import { Settlements } from './settlements.steps.js';

const PAGE = 100;

interface OfOrder {
  readonly id: string;
  readonly orderId: string;
}

/** The subscriptions, installments, payments without a result and unfinished checkouts that may still charge a buyer. */
export interface ActiveCharges {
  readonly subscriptionIds: readonly string[];
  readonly installments: readonly OfOrder[];
  readonly payments: readonly OfOrder[];
  readonly orderIds: readonly string[];
}

export function describeCharges(charges: ActiveCharges): readonly string[] {
  return [
    ...charges.subscriptionIds.map((id) => `The subscription ${id} may still charge the buyer.`),
    ...charges.installments.map(({ orderId }) => `The order ${orderId} has installments that are not paid.`),
    ...charges.payments.map(({ id, orderId }) => `The payment ${id} of the order ${orderId} has no result yet.`),
    ...charges.orderIds.map((id) => `The checkout of the order ${id} is not finished.`),
  ];
}

/** Finds and ends what may charge a buyer. The read models only find it: the streams decide. */
@Injectable()
export class BuyerCharges {
  constructor(
    private readonly store: EventStore,
    private readonly reader: ReadModelReader,
    private readonly streams: Streams,
    private readonly forgotten: ForgottenBuyers,
    private readonly settlements: Settlements,
  ) {}

  /** @param context of the buyer's business and mode */
  async find(buyerId: string, context: Context): Promise<ActiveCharges> {
    const head = await this.store.readHead();
    const read = [orders, subscriptions, payments];
    await Promise.all(read.map((projection) => this.reader.requirePosition(projection, head)));
    const own = { ...toOwnerFilter(context), [BUYER_PATH]: buyerId };
    const [ownSubscriptions, ownOrders, unsettled] = await Promise.all([
      this.list(subscriptions, { ...toOwnerFilter(context), [HIDDEN_BUYER_PATH]: buyerId }, context),
      this.list(orders, own, context),
      this.list(payments, { ...own, status: 'pending' }, context),
    ]);
    const installments = ownOrders.flatMap((order) =>
      listInstallmentLineIds(order).map((id) => ({ id, orderId: order.id })),
    );
    const orderIds = ownOrders.filter(({ status }) => status === 'pending').map(({ id }) => id);
    const found = unsettled.map(({ id, order }) => ({ id, orderId: order.id }));
    const subscriptionIds = ownSubscriptions.map(({ id }) => id);
    return this.keepActive({ subscriptionIds, installments, payments: found, orderIds });
  }

  /**
   * Ends everything at once, and returns what remains: a payment that the gateway cannot stop, or a checkout that runs
   * now. A repeated call ends what an interrupted one has left.
   */
  async end(charges: ActiveCharges, context: Context): Promise<ActiveCharges> {
    for (const { id } of charges.payments) await this.settlements.withdraw(id, createChildContext(context, id));
    const started = await this.listStarted(charges.payments);
    const subscriptionIds = [...charges.subscriptionIds, ...started.subscriptionIds];
    const installments = [...charges.installments, ...started.installments];
    await this.forgotten.end({ subscriptionIds, planIds: installments.map(({ id }) => id) }, context);
    return this.keepActive({ ...charges, subscriptionIds, installments });
  }

  /** Returns what the orders have started whose payments could not be stopped. */
  private async listStarted(withdrawn: readonly OfOrder[]): Promise<Omit<ActiveCharges, 'payments' | 'orderIds'>> {
    const found = await Promise.all(withdrawn.map(({ orderId }) => this.streams.loadState(orderDecider, orderId)));
    const completed = found.flatMap((order) => (order.status === 'completed' ? [order.placed] : []));
    return {
      subscriptionIds: completed.flatMap(({ lines }) => lines.flatMap(({ subscriptionId }) => subscriptionId ?? [])),
      installments: completed.flatMap((placed) =>
        listInstallmentPlanIds(placed).map((id) => ({ id, orderId: placed.orderId })),
      ),
    };
  }

  /** Returns those that may still charge the buyer. */
  async keepActive({ subscriptionIds, installments, payments, orderIds }: ActiveCharges): Promise<ActiveCharges> {
    return {
      subscriptionIds: await filterAsync(subscriptionIds, (id) => this.isSubscriptionActive(id)),
      installments: await filterAsync(installments, ({ id }) => this.isInstallmentPlanActive(id)),
      payments: await filterAsync(payments, ({ id }) => this.isUnsettled(id)),
      orderIds: await filterAsync(orderIds, (id) => this.isUnpaid(id)),
    };
  }

  private async list<D extends Owned, W extends Where>(
    projection: Projection<D>,
    where: Filter<D, W>,
    context: Context,
  ): Promise<D[]> {
    const all: D[] = [];
    for await (const slice of readSlices(this.reader, projection, { where, limit: PAGE }, context.consistency))
      all.push(...slice);
    return all;
  }

  private async isSubscriptionActive(id: string): Promise<boolean> {
    return isActiveSubscription(await this.streams.loadState(subscriptionDecider, id));
  }

  private async isInstallmentPlanActive(id: string): Promise<boolean> {
    return isOpen(await this.streams.loadState(installmentPlanDecider, id));
  }

  private async isUnsettled(id: string): Promise<boolean> {
    const { status } = await this.streams.loadState(paymentDecider, id);
    return status === 'started' || status === 'unsettled';
  }

  /** A checkout whose payment is unsettled is named by its payment. */
  private async isUnpaid(id: string): Promise<boolean> {
    const order = await this.streams.loadState(orderDecider, id);
    if (order.status !== 'pending') return false;
    const { paymentId } = order.placed;
    return paymentId === null || !(await this.isUnsettled(paymentId));
  }
}

async function filterAsync<T>(items: readonly T[], keeps: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  const kept = await Promise.all(items.map(keeps));
  return items.filter((_, i) => kept[i]);
}

import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { type Owned, requireOwned, toOwnerFilter } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { Filter, PathOf, Where } from '../../kernel/read-models.js';
import { boolean, type DocumentOf, enumOf, list, nested, ref, resource } from '../../kernel/schema.js';
import { type BuyerDocument, buyerResourceSchema, buyers } from '../projections/buyers.js';
import { carts, cartSchema } from '../projections/carts.js';
import { invoices, invoiceSchema } from '../projections/invoices.js';
import { offers, offerSchema } from '../projections/offers.js';
import { type OrderDocument, orders, orderSchema } from '../projections/orders.js';
import { payments, paymentSchema } from '../projections/payments.js';
import { REFUND_BUYER_PATH, refunds, refundSchema } from '../projections/refunds.js';
import { BUYER_PATH } from '../projections/resources.js';
import { type SubscriptionDocument, subscriptions, subscriptionSchema } from '../projections/subscriptions.js';

/** The newest documents of each kind; a buyer with more of them is rare. */
const MAX_DOCUMENTS = 1_000;

/** Everything that a business holds about one buyer. `complete` is false when a list is cut to its newest 1,000. */
export const personalDataSchema = resource('PersonalData', {
  object: enumOf('personal_data'),
  business: ref('business', 'biz'),
  buyer: nested(buyerResourceSchema),
  carts: list(nested(cartSchema)),
  offers: list(nested(offerSchema)),
  orders: list(nested(orderSchema)),
  payments: list(nested(paymentSchema)),
  invoices: list(nested(invoiceSchema)),
  refunds: list(nested(refundSchema)),
  subscriptions: list(nested(subscriptionSchema)),
  complete: boolean,
});

type PersonalDataDocument = DocumentOf<typeof personalDataSchema>;

export class RetrievePersonalData extends ContextQuery<{ buyerId: string }, PersonalDataDocument> {}

@QueryHandler(RetrievePersonalData)
export class RetrievePersonalDataHandler implements IQueryHandler<RetrievePersonalData> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, params: { buyerId } }: RetrievePersonalData): Promise<PersonalDataDocument> {
    const buyer = requireOwned(await this.reader.get(buyers, buyerId, context.consistency), context);
    const [ownCarts, ownOffers, ownOrders, ownPayments, ownInvoices, ownRefunds] = await Promise.all([
      this.find(carts, buyer, context),
      this.find(offers, buyer, context),
      this.find(orders, buyer, context),
      this.find(payments, buyer, context),
      this.find(invoices, buyer, context),
      this.find(refunds, buyer, context, REFUND_BUYER_PATH),
    ]);
    const all = [ownCarts, ownOffers, ownOrders, ownPayments, ownInvoices, ownRefunds];
    return {
      object: 'personal_data',
      business: buyer.business,
      buyer: hideInternals(buyer),
      carts: ownCarts.map(hideInternals),
      offers: ownOffers.map(hideInternals),
      orders: ownOrders.map(hideInternals),
      payments: ownPayments.map(hideInternals),
      invoices: ownInvoices.map(hideInternals),
      refunds: ownRefunds.map(hideInternals),
      subscriptions: (await this.findSubscriptions(ownOrders)).map(hideInternals),
      complete: all.every((documents) => documents.length < MAX_DOCUMENTS),
    };
  }

  private find<D extends Owned>(
    projection: Projection<D>,
    buyer: BuyerDocument,
    context: Context,
    path: PathOf<D> | typeof BUYER_PATH = BUYER_PATH,
  ): Promise<D[]> {
    const where = { ...toOwnerFilter(context), [path]: buyer.email.hash } as Filter<D, Where>;
    return this.reader.find(projection, where, MAX_DOCUMENTS, context.consistency);
  }

  private async findSubscriptions(ownOrders: readonly OrderDocument[]): Promise<readonly SubscriptionDocument[]> {
    const lines = ownOrders.flatMap(({ line_items: items }) => items);
    const ids = lines.flatMap(({ subscription }) => (subscription === undefined ? [] : [subscription.id]));
    return [...(await this.reader.getExisting(subscriptions, ids)).values()];
  }
}

function hideInternals<D extends object>(document: D): D {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_'))) as D;
}

import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { type Owned, requireOwned, toOwnerFilter } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { Filter, PathOf, Where } from '../../kernel/read-models.js';
import { boolean, describe, type DocumentOf, enumOf, KIND, list, nested, ref, resource } from '../../kernel/schema.js';
import { type BuyerDocument, buyerResourceSchema, buyers } from '../projections/buyers.js';
import { carts, cartSchema } from '../projections/carts.js';
import { disputes, disputeSchema } from '../projections/disputes.js';
import { invoices, invoiceSchema } from '../projections/invoices.js';
import { offers, offerSchema } from '../projections/offers.js';
import { type OrderDocument, orders, orderSchema } from '../projections/orders.js';
import { payments, paymentSchema } from '../projections/payments.js';
import { refunds, refundSchema } from '../projections/refunds.js';
import { BUYER_PATH, HIDDEN_BUYER_PATH } from '../projections/resources.js';
import { type SubscriptionDocument, subscriptions, subscriptionSchema } from '../projections/subscriptions.js';

/** The newest documents of each kind; a buyer with more of them is rare. */
const MAX_DOCUMENTS = 1_000;

/** Everything that a business holds about one buyer. */
export const personalDataSchema = resource('PersonalData', {
  object: describe(enumOf('personal_data'), KIND),
  business: describe(ref('business', 'biz'), 'The business that holds the data.'),
  buyer: describe(nested(buyerResourceSchema), 'The buyer.'),
  carts: describe(list(nested(cartSchema)), 'The newest 1,000 carts of the buyer.'),
  offers: describe(list(nested(offerSchema)), 'The newest 1,000 offers of the buyer.'),
  orders: describe(list(nested(orderSchema)), 'The newest 1,000 orders of the buyer.'),
  payments: describe(list(nested(paymentSchema)), 'The newest 1,000 payments of the buyer.'),
  invoices: describe(list(nested(invoiceSchema)), 'The newest 1,000 invoices of the buyer.'),
  refunds: describe(list(nested(refundSchema)), 'The newest 1,000 refunds of the buyer.'),
  disputes: describe(list(nested(disputeSchema)), 'The newest 1,000 disputes of the payments of the buyer.'),
  subscriptions: describe(list(nested(subscriptionSchema)), 'The subscriptions that these orders started.'),
  complete: describe(boolean, 'Whether the lists have everything: false when one of them holds 1,000.', true),
});

type PersonalDataDocument = DocumentOf<typeof personalDataSchema>;

export class RetrievePersonalData extends ContextQuery<{ buyerId: string }, PersonalDataDocument> {}

@QueryHandler(RetrievePersonalData)
export class RetrievePersonalDataHandler implements IQueryHandler<RetrievePersonalData> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, params: { buyerId } }: RetrievePersonalData): Promise<PersonalDataDocument> {
    const buyer = requireOwned(await this.reader.get(buyers, buyerId, context.consistency), context);
    const [ownCarts, ownOffers, ownOrders, ownPayments, ownInvoices, ownRefunds, ownDisputes] = await Promise.all([
      this.find(carts, buyer, context),
      this.find(offers, buyer, context),
      this.find(orders, buyer, context),
      this.find(payments, buyer, context),
      this.find(invoices, buyer, context),
      this.find(refunds, buyer, context, HIDDEN_BUYER_PATH),
      this.find(disputes, buyer, context, HIDDEN_BUYER_PATH),
    ]);
    const all = [ownCarts, ownOffers, ownOrders, ownPayments, ownInvoices, ownRefunds, ownDisputes];
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
      disputes: ownDisputes.map(hideInternals),
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
    const where = { ...toOwnerFilter(context), [path]: buyer.id } as Filter<D, Where>;
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

import { IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Personal } from '../../engine/sealing/personal.js';
import type { PageOf } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import { idIn, type EventOf, type Projection } from '../../kernel/projection.js';
import type { PaymentEvent } from '../domain/payment.js';
import { ListPage, type Paging } from '../../engine/reading/queries.js';
import { OWNER, type Owned } from '../../kernel/ownership.js';
import { optionalReference, reference } from '../../kernel/reference.js';
import { currency, type DocumentOf, nullable, object, one, refer, resource, text, time } from '../../kernel/schema.js';
import { begin, begun, buyer, buyerDocument, cents, refundStatus } from './resources.js';

export const paymentSchema = resource('Payment', {
  ...begun('payment', 'pay'),
  status: one('pending', 'succeeded', 'failed'),
  refund_status: refundStatus,
  kind: one('initial', 'renewal', 'installment'),
  order: refer('order', 'ord'),
  subscription: nullable(refer('subscription', 'ps')),
  invoice: nullable(refer('invoice', 'inv')),
  buyer,
  amount_cents: cents,
  refunded_amount_cents: cents,
  refundable_amount_cents: cents,
  fee_cents: cents,
  net_amount_cents: cents,
  currency,
  method: nullable(object({ type: text, brand: nullable(text), last4: nullable(text) })),
  gateway: text,
  gateway_reference: nullable(text),
  failure: nullable(object({ code: text, detail: text })),
  cash_flow_at: nullable(time),
});

export interface PaymentDocument extends DocumentOf<typeof paymentSchema>, Owned {}

type Event<T extends PaymentEvent['type']> = EventOf<PaymentEvent, T>;

export const payments: Projection<PaymentDocument, PaymentEvent> = {
  name: 'payments',
  version: 3,
  id: idIn('paymentId'),
  indexes: [
    [...OWNER, 'created_at'],
    // This index alone covers both ranges, the order and the count.
    [...OWNER, 'cash_flow_at', 'created_at'],
    [...OWNER, 'buyer.email.hash', 'created_at'],
  ],
  totals: [OWNER],
  hourly: [
    { group: OWNER, times: ['created_at', 'cash_flow_at'] },
    { group: OWNER, times: ['cash_flow_at', 'created_at'] },
  ],
  on: {
    PaymentStarted: (_, event) => started(event),
    PaymentAwaited: (payment) => payment,
    PaymentSucceeded: (payment, event) => payment && succeeded(payment, event),
    PaymentFailed: (payment, { data: { code, detail, method = null } }) =>
      payment && { ...payment, status: 'failed', method, failure: { code, detail } },
    FundsReleased: (payment, { data }) => payment && { ...payment, cash_flow_at: data.cashFlowAt },
  },
};

function started(event: Event<'PaymentStarted'>): PaymentDocument {
  const { paymentId, kind, orderId, subscriptionId, buyer, amountCents, currency, gateway } = event.data;
  return {
    ...begin('payment', paymentId, event),
    status: 'pending',
    refund_status: 'none',
    kind,
    order: reference('order', orderId),
    subscription: optionalReference('subscription', subscriptionId),
    invoice: null,
    buyer: buyerDocument(buyer),
    amount_cents: amountCents,
    refunded_amount_cents: 0,
    refundable_amount_cents: 0,
    fee_cents: 0,
    net_amount_cents: 0,
    currency,
    method: null,
    gateway,
    gateway_reference: null,
    failure: null,
    cash_flow_at: null,
  };
}

function succeeded(payment: PaymentDocument, { data }: Event<'PaymentSucceeded'>): PaymentDocument {
  return {
    ...payment,
    status: 'succeeded',
    invoice: reference('invoice', data.invoiceId),
    refundable_amount_cents: payment.amount_cents,
    fee_cents: data.feeCents,
    net_amount_cents: data.netCents,
    method: data.method,
    gateway_reference: data.gatewayReference,
  };
}

interface Range {
  readonly from?: string;
  readonly to?: string;
}

export interface PaymentFilters {
  readonly created: Range | null;
  /** A payment whose funds are not released yet never matches. */
  readonly cashFlow: Range | null;
  readonly buyerEmail: string | null;
}

export class ListPayments extends Query<PageOf<PaymentDocument>> {
  constructor(
    readonly context: Context,
    readonly paging: Paging,
    readonly filters: PaymentFilters,
  ) {
    super();
  }
}

@QueryHandler(ListPayments)
export class ListPaymentsHandler implements IQueryHandler<ListPayments> {
  constructor(
    private readonly personal: Personal,
    private readonly queries: QueryBus,
  ) {}

  execute({ context, paging, filters: { created, cashFlow, buyerEmail } }: ListPayments): Promise<PageOf<PaymentDocument>> {
    const filter = {
      ...(created !== null && { created_at: created }),
      ...(cashFlow !== null && { cash_flow_at: cashFlow }),
      ...(buyerEmail !== null && { 'buyer.email.hash': this.personal.hash(buyerEmail) }),
    };
    return this.queries.execute(new ListPage(payments, context, paging, filter));
  }
}

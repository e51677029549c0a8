import { IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Personal } from '../../engine/sealing/personal.js';
import type { PageOf } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import { idIn, type Changes, type EventOf, type Projection } from '../../kernel/projection.js';
import type { PaymentEvent, PaymentMethod } from '../domain/payment.js';
import { ListPage, type Paging } from '../../engine/reading/queries.js';
import { OWNER } from '../../kernel/ownership.js';
import { maybe, reference, type Reference } from '../../kernel/reference.js';
import { buyerDocument, resource, type BuyerDocument, type Resource } from './resources.js';

export interface PaymentDocument extends Resource<'payment'> {
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly refund_status: 'none' | 'partial' | 'full';
  readonly kind: 'initial' | 'renewal' | 'installment';
  readonly order: Reference<'order'>;
  readonly subscription: Reference<'subscription'> | null;
  readonly invoice: Reference<'invoice'> | null;
  readonly buyer: BuyerDocument;
  readonly amount_cents: number;
  readonly refunded_amount_cents: number;
  readonly refundable_amount_cents: number;
  readonly fee_cents: number;
  readonly net_amount_cents: number;
  readonly currency: string;
  readonly method: PaymentMethod | null;
  readonly gateway: string;
  readonly gateway_reference: string | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly cash_flow_at: string | null;
}

type Event<T extends PaymentEvent['type']> = EventOf<PaymentEvent, T>;

export const payments: Projection<PaymentDocument> = {
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
    PaymentStarted: (_, event: Event<'PaymentStarted'>) => started(event),
    PaymentAwaited: (payment) => payment,
    PaymentSucceeded: (payment, event: Event<'PaymentSucceeded'>) => payment && succeeded(payment, event),
    PaymentFailed: (payment, { data: { code, detail, method = null } }: Event<'PaymentFailed'>) =>
      payment && { ...payment, status: 'failed', method, failure: { code, detail } },
    FundsReleased: (payment, { data }: Event<'FundsReleased'>) => payment && { ...payment, cash_flow_at: data.cashFlowAt },
  } satisfies Changes<PaymentDocument, PaymentEvent>,
};

function started(event: Event<'PaymentStarted'>): PaymentDocument {
  const { paymentId, kind, orderId, subscriptionId, buyer, amountCents, currency, gateway } = event.data;
  return {
    ...resource('payment', paymentId, event),
    status: 'pending',
    refund_status: 'none',
    kind,
    order: reference('order', orderId),
    subscription: maybe('subscription', subscriptionId),
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

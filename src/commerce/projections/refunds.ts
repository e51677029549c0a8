import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  type DocumentOf,
  enumOf,
  nullable,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { REFUND_REASONS, type RefundEvent } from '../domain/refund.js';
import { centsSchema, resourceFields, toResourceValues } from './resources.js';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;

export const refundSchema = resource('Refund', {
  ...resourceFields('refund', 'ref'),
  status: enumOf(...REFUND_STATUSES),
  payment: ref('payment', 'pay'),
  order: ref('order', 'ord'),
  subscription: nullable(ref('subscription', 'ps')),
  amount_cents: centsSchema,
  currency,
  reason: nullable(enumOf(...REFUND_REASONS)),
  note: nullable(string),
  failure: nullable(object({ code: string, detail: string })),
  processed_at: nullable(dateTime),
});

/** The path of the hash of the buyer's address: a refund does not show its buyer. */
export const REFUND_BUYER_PATH = '_buyerHash';

export interface RefundDocument extends DocumentOf<typeof refundSchema>, Owned {
  readonly [REFUND_BUYER_PATH]: string;
}

/** A refund that the seller's balance refuses has no document. */
export const refunds: Projection<RefundDocument, RefundEvent> = {
  name: 'refunds',
  version: 1,
  id: pickId('refundId'),
  ...declareLists([[], ['status']], [['payment.id'], ['order.id'], [REFUND_BUYER_PATH]]),
  on: {
    RefundRequested: (_, event) => toRefundDocument(event),
    RefundRejected: () => null,
    RefundUnsettled: (refund) => refund,
    RefundSucceeded: (refund, { data }) => refund && { ...refund, status: 'succeeded', processed_at: data.at },
    RefundFailed: (refund, { data: { code, detail, at } }) =>
      refund && { ...refund, status: 'failed', failure: { code, detail }, processed_at: at },
  },
};

function toRefundDocument(event: EventOf<RefundEvent, 'RefundRequested'>): RefundDocument {
  const { refundId, paymentId, orderId, subscriptionId, buyer, amountCents, currency, reason, note } = event.data;
  return {
    ...toResourceValues('refund', refundId, event),
    status: 'pending',
    payment: toReference('payment', paymentId),
    order: toReference('order', orderId),
    subscription: optionalReference('subscription', subscriptionId),
    amount_cents: amountCents,
    currency,
    reason,
    note,
    failure: null,
    processed_at: null,
    [REFUND_BUYER_PATH]: buyer.email.hash,
  };
}

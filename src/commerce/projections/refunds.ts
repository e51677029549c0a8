import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  nullable,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { REFUND_REASONS, type RefundEvent } from '../domain/refund.js';
import { centsSchema, HIDDEN_BUYER_PATH, resourceFields, toResourceValues } from './resources.js';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;

export const refundSchema = resource('Refund', {
  ...resourceFields('refund', 'ref'),
  status: describe(
    enumOf(...REFUND_STATUSES),
    'Whether the result is not known yet (`pending`), the buyer has the money (`succeeded`), or the gateway refused or reversed the refund (`failed`).',
  ),
  payment: describe(ref('payment', 'pay'), 'The payment that is refunded.'),
  order: describe(ref('order', 'ord'), 'The order of the payment.'),
  subscription: describe(nullable(ref('subscription', 'ps')), 'The subscription of the payment, or null.'),
  amount_cents: describe(centsSchema, 'The amount that the buyer gets back, in cents.'),
  currency,
  reason: describe(nullable(enumOf(...REFUND_REASONS)), 'The reason that the seller chose, or null.'),
  note: describe(nullable(string), 'The text of the seller about the refund, or null.', 'Called on Monday.'),
  failure: describe(
    nullable(
      object({
        code: describe(string, 'The code of the reason, from the gateway.', 'refund_declined'),
        detail: describe(string, 'The reason in a sentence.', 'The bank of the buyer declined the refund.'),
      }),
    ),
    'The reason of a failed refund, or null.',
  ),
  processed_at: describe(nullable(dateTime), 'The time at which the refund succeeded or failed, or null before that.'),
});

export interface RefundDocument extends DocumentOf<typeof refundSchema>, Owned {
  readonly [HIDDEN_BUYER_PATH]: string;
}

/** A refund that the seller's balance refuses has no document. */
export const refunds: Projection<RefundDocument, RefundEvent> = {
  name: 'refunds',
  version: 2,
  id: pickId('refundId'),
  ...declareLists([[], ['status']], [['payment.id'], ['order.id'], [HIDDEN_BUYER_PATH]]),
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
    [HIDDEN_BUYER_PATH]: buyer.id,
  };
}

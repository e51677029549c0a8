import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  nullable,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { DISPUTE_STATUSES, type DisputeEvent, type DisputeOutcome } from '../domain/dispute.js';
import { centsSchema, HIDDEN_BUYER_PATH, resourceFields, toResourceValues } from './resources.js';

export const disputeSchema = resource('Dispute', {
  ...resourceFields('dispute', 'dp'),
  payment: describe(ref('payment', 'pay'), 'The payment whose money the bank of the buyer asks for.'),
  order: describe(ref('order', 'ord'), 'The order of the payment.'),
  amount_cents: describe(
    centsSchema,
    'The amount that the bank asks for, in cents. The balance of the seller does not have it while the dispute is open or lost.',
  ),
  currency,
  reason: describe(string, 'The reason that the bank gives, in the words of the payment gateway.', 'fraudulent'),
  status: describe(
    enumOf(...DISPUTE_STATUSES),
    'Whether the bank has not decided yet (`open`), or for the seller (`won`) or the buyer (`lost`).',
  ),
  evidence_due_at: describe(
    nullable(dateTime),
    'The time until which the gateway takes evidence from the seller, or null without such a time.',
  ),
  closed_at: describe(nullable(dateTime), 'The time at which the dispute was won or lost, or null before that.'),
});

export interface DisputeDocument extends DocumentOf<typeof disputeSchema>, Owned {
  readonly [HIDDEN_BUYER_PATH]: string;
}

/** A dispute that moved no money, because it was recorded before disputes did, has no document. */
export const disputes: Projection<DisputeDocument, DisputeEvent> = {
  name: 'disputes',
  version: 2,
  id: pickId('disputeId'),
  ...declareLists([[], ['status']], [['payment.id'], [HIDDEN_BUYER_PATH]]),
  on: {
    PaymentDisputed: (_, event) => toDisputeDocument(event),
    DisputeFeeCharged: (dispute) => dispute,
    DisputeClosed: (dispute, { data: { outcome, at } }) =>
      dispute && { ...dispute, status: outcome as DisputeOutcome, closed_at: at },
  },
};

function toDisputeDocument(event: EventOf<DisputeEvent, 'PaymentDisputed'>): DisputeDocument | null {
  const { disputeId, paymentId, orderId, businessId, buyer, amountCents, currency, reason, at } = event.data;
  if (businessId === undefined || orderId === undefined || buyer === undefined) return null;
  return {
    ...toResourceValues('dispute', disputeId, { ...event, data: { businessId, at } }),
    payment: toReference('payment', paymentId),
    order: toReference('order', orderId),
    amount_cents: amountCents,
    currency,
    reason,
    status: 'open',
    evidence_due_at: event.data.evidenceDueAt ?? null,
    closed_at: null,
    [HIDDEN_BUYER_PATH]: buyer.id,
  };
}

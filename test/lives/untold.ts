import { type Fields, Open } from './model/template.js';

/** A change of a resource that is no public event of its own, and the fields that show it. */
interface Untold {
  readonly noun: string;
  readonly fields: RegExp;
  /** The state in which the last change may be untold; absent for each. */
  readonly when?: (expected: Fields) => boolean;
}

const UNTOLD: readonly Untold[] = [
  // A refund is an event of its own.
  { noun: 'ord', fields: /^(refund_status|refunded_amount_cents)/ },
  { noun: 'pay', fields: /^(refund_status|refunded_amount_cents|refundable_amount_cents)/ },
  { noun: 'inv', fields: /^refunded_amount_cents/ },
  // A later payment of an order is an event of its own.
  { noun: 'ord', fields: /^(payments|installments)/ },
  // Funds that are available, and an invoice that was written off.
  { noun: 'pay', fields: /^cash_flow_at/ },
  { noun: 'inv', fields: /^status/, when: ({ status }) => status === 'uncollectible' },
  // The later retries of a failed renewal, and a change that was withdrawn.
  { noun: 'ps', fields: /^next_billing_at/, when: ({ status }) => status === 'past_due' },
  { noun: 'ps', fields: /^pending_change/, when: (one) => one.pending_change === null },
  // A change of an approved product, and of its plans.
  { noun: 'prod', fields: /^(name|status|revision|plans|updated_at)/ },
  // Everything but the creation.
  { noun: 'com', fields: /^(status|join_policy|levels|member_count|owner|business|updated_at)/ },
  // Everything but the arrival and the badge.
  { noun: 'mem', fields: /^(role|level|points|status|user\.email)/ },
  { noun: 'mem', fields: /^expert_badge/, when: (one) => one.joined_at instanceof Open },
  // A changed address.
  { noun: 'pta', fields: /^user\.email/ },
  // Everything but the creation and the deletion.
  { noun: 'post', fields: /^(content|is_edited|updated_at|like_count|comment_count)/ },
];

/** The states that no event has shown yet. */
const UNSEEN: Readonly<Record<string, (expected: Fields) => boolean>> = {
  pay: ({ status }) => status === 'pending',
  ref: ({ status }) => status === 'pending',
  off: ({ status }) => status === 'draft',
  invt: ({ status }) => status !== 'accepted' && status !== 'declined',
  // The creation of a community tells of its founder.
  mem: ({ role }) => role === 'owner',
};

export function isUnseen(key: string, expected: Fields): boolean {
  return UNSEEN[nounOf(key)]?.(expected) ?? false;
}

/** @param path the field that differs, and what follows in the message */
export function isUntold(key: string, path: string, expected: Fields): boolean {
  return UNTOLD.some(
    ({ noun, fields, when }) => noun === nounOf(key) && fields.test(path) && (when?.(expected) ?? true),
  );
}

function nounOf(key: string): string {
  return key.split(':')[0]!;
}

import type { Fields } from './model/template.js';

/** A change of a resource that is no public event of its own, and the fields that show it. */
interface Untold {
  readonly noun: string;
  readonly fields: RegExp;
  /** The state in which the last change may be untold; absent for each. */
  readonly when?: (expected: Fields) => boolean;
}

const UNTOLD: readonly Untold[] = [
  // A refund is an event of its own, and so is a dispute.
  { noun: 'ord', fields: /^(refund_status|refunded_amount_cents)/ },
  { noun: 'pay', fields: /^(refund_status|refunded_amount_cents|refundable_amount_cents)/ },
  { noun: 'inv', fields: /^refunded_amount_cents/ },
  // A later payment of an order is an event of its own.
  { noun: 'ord', fields: /^(payments|installments)/ },
  // Each member has events, and so have awards of points, which give levels.
  { noun: 'com', fields: /^member_count/ },
  { noun: 'mem', fields: /^(level|points)/ },
  // A changed address.
  { noun: 'pta', fields: /^user\.email/ },
  // Likes and comments are events of their own.
  { noun: 'post', fields: /^(like_count|comment_count)/ },
];

/** The states that no event has shown yet. */
const UNSEEN: Readonly<Record<string, (expected: Fields) => boolean>> = {
  pay: ({ status }) => status === 'pending',
  ref: ({ status }) => status === 'pending',
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

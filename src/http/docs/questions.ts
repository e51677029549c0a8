import type { GuideName } from './guide-list.js';

/** The goals of readers, and the part of a guide that shows how to reach each of them. */
export const QUESTIONS: readonly (readonly [goal: string, guide: GuideName, anchor?: string])[] = [
  ['send a first request', 'quick-start'],
  ['know which credential a caller needs', 'authentication'],
  ['replace a key', 'authentication', 'keys'],
  ['get a product approved in test mode', 'selling', 'get-it-approved'],
  ['let a browser check out', 'selling', 'open-a-cart'],
  ['refund a payment', 'selling', 'refund'],
  ['make a payment fail', 'test-payments', 'the-test-tokens'],
  ['see a renewal without waiting for a month', 'test-payments', 'move-the-clock'],
  ['offer a trial', 'test-payments', 'trials'],
  ['act as a member on my own machine', 'communities', 'sign-in-as-a-member'],
  ['ban a member', 'communities', 'remove-and-ban'],
  ['receive webhooks without a public address', 'webhooks', 'without-a-public-address'],
  ['know whether a delivery is tried again', 'webhooks', 'what-is-final'],
  ['send failed deliveries again', 'webhooks', 'when-a-delivery-fails'],
  ['check a signature in my language', 'verify-webhooks'],
  ['get the raw body in my framework', 'verify-webhooks', 'the-raw-body'],
  ['know what to do after an error', 'errors', 'which-requests-to-repeat'],
  ['repeat a request safely', 'idempotency'],
  ['read a whole list', 'paging'],
  ['know what a 429 asks of me', 'rate-limits', 'what-to-do'],
  ['upload an image', 'files'],
  ['know who changed something', 'change-history', 'who-changed-something'],
  ['give an auditor a proof', 'change-history', 'for-an-auditor'],
  ['bring members and points from another system', 'moving-in'],
];

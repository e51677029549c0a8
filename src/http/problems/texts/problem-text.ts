/** Whether and how a rejected request can be sent again. */
export const REPEATS = {
  never: 'No. The same request is rejected again.',
  corrected:
    'Not unchanged. Correct the request and send it again, with the same Idempotency-Key or a new one: a rejection releases the key.',
  afterChange:
    'Yes, after this change, with the same Idempotency-Key or a new one: a rejection releases the key. Without the change, the request is rejected again.',
  soon: 'Yes, unchanged, after a short wait and with the same Idempotency-Key.',
  later: 'Yes, unchanged, after the seconds in `Retry-After` and with the same Idempotency-Key.',
  laterIfPossible:
    'If the response has `Retry-After`: yes, unchanged, after these seconds and with the same Idempotency-Key. Without this header, the same request is rejected again.',
  sameKey: 'Yes, unchanged, with the same Idempotency-Key: completed work is not done a second time.',
  newKey: 'Only with a new Idempotency-Key. With the same key, the request is rejected again.',
} as const;

/** The page about a problem code. */
export interface ProblemText {
  /** Why the service rejects the request. */
  readonly meaning: string;
  /** The possible action of the caller. */
  readonly action: string;
  readonly repeat: keyof typeof REPEATS;
}

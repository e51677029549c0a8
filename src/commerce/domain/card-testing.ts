import { addMs } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';

/** Declined payments of one cart after which the next checkout must wait, against the testing of stolen cards. */
const MAX_DECLINES = 10;
const DECLINE_WINDOW_MS = 60 * 60 * 1000;

/** Adds a declined payment; only the latest ones are kept. */
export function addDecline(declinedAt: readonly string[], at: string): readonly string[] {
  return [...declinedAt, at].slice(-MAX_DECLINES);
}

/** @throws Rejection rate_limited */
export function assertNoCardTesting(declinedAt: readonly string[], now: string): void {
  const oldest = declinedAt.length < MAX_DECLINES ? undefined : declinedAt[0];
  if (oldest === undefined) return;
  const until = addMs(oldest, DECLINE_WINDOW_MS);
  if (now >= until) return;
  const detail = `The cart had ${MAX_DECLINES} declined payments within an hour. Try again later.`;
  throw Rejection.rateLimited(detail, { now, until });
}

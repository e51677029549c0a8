import { calculatePeriodEnd, findAnchorDay } from './billing-period.js';
import type { KnownSubscription } from './subscription-state.js';

/**
 * Returns the time of the nth renewal, by the terms that the next renewal will bill; null after `latest`.
 * @param due the time at which the subscription renews or resumes next
 */
export function findRenewal(
  { status, agreement: { change, terms, anchorDay: kept, paidUntil } }: KnownSubscription,
  due: string,
  nth: number,
  latest: string,
): string | null {
  const cycle = change?.to ?? terms;
  const first = status === 'past_due' ? paidUntil : due;
  const anchorDay = status === 'paused' ? findAnchorDay(first) : kept;
  let at = first;
  for (let n = 1; n < nth && at <= latest; n++) at = calculatePeriodEnd(at, cycle, anchorDay);
  return at <= latest ? at : null;
}

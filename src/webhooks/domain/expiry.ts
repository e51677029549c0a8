import { DAY_MS } from '../../kernel/clock.js';

export const DELIVERABLE_DAYS = 30;

/** Returns whether the event is too old for any delivery, automatic or manual. */
export function isExpired(occurredAt: string, now: string): boolean {
  return Date.parse(now) - Date.parse(occurredAt) > DELIVERABLE_DAYS * DAY_MS;
}

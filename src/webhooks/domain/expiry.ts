import { DAY_MS } from '../../kernel/clock.js';

export const DELIVERABLE_DAYS = 30;

/** Of an event that has grown too old to be delivered again, by itself or by hand. */
export function isExpired(occurredAt: string, now: string): boolean {
  return Date.parse(now) - Date.parse(occurredAt) > DELIVERABLE_DAYS * DAY_MS;
}

import { addMs, DAY_MS, toIso } from '../../kernel/clock.js';

export const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

export interface Cycle {
  readonly interval: Interval;
  readonly intervalCount: number;
}

const DAYS: Record<'day' | 'week', number> = { day: 1, week: 7 };
const MONTHS: Record<'month' | 'year', number> = { month: 1, year: 12 };

/** Returns the day of the month on which a subscription started at `start` renews. */
export function findAnchorDay(start: string): number {
  return new Date(start).getUTCDate();
}

/** Returns the end of the period that begins at `start`: the anchor day, or the last day of a shorter month. */
export function calculatePeriodEnd(start: string, { interval, intervalCount }: Cycle, anchorDay: number): string {
  if (interval === 'day' || interval === 'week') return addMs(start, DAYS[interval] * intervalCount * DAY_MS);

  return toIso(addMonths(new Date(start), MONTHS[interval] * intervalCount, anchorDay).getTime());
}

function addMonths(start: Date, months: number, anchorDay: number): Date {
  const month = new Date(start);
  month.setUTCDate(1);
  month.setUTCMonth(month.getUTCMonth() + months);
  month.setUTCDate(Math.min(anchorDay, countDays(month)));
  return month;
}

function countDays(month: Date): number {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
}

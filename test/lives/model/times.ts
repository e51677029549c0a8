const DAY_MS = 86_400_000;

export function addDays(at: string, days: number): string {
  return new Date(Date.parse(at) + days * DAY_MS).toISOString();
}

export function addMs(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

export type Interval = 'day' | 'week' | 'month' | 'year';

/** Returns the end of a period. The day of the anchor is kept, and the ends of months are clamped. */
export function addInterval(start: string, interval: Interval, count: number, anchorDay: number): string {
  if (interval === 'day') return addDays(start, count);
  if (interval === 'week') return addDays(start, 7 * count);
  const from = new Date(start);
  const months = from.getUTCFullYear() * 12 + from.getUTCMonth() + (interval === 'year' ? 12 : 1) * count;
  const [year, month] = [Math.floor(months / 12), months % 12];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(anchorDay, lastDay));
  return new Date(midnight + (from.getTime() % DAY_MS)).toISOString();
}

export function dayOf(at: string): number {
  return new Date(at).getUTCDate();
}

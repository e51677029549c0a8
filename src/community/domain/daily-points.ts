/** Points by UTC day: `['2026-02-01', 50]`, oldest first. */
export type DailyPoints = readonly (readonly [day: string, points: number])[];

/** The longest period of a leaderboard. */
export const LONGEST_PERIOD_DAYS = 30;
const DAY_MS = 86_400_000;

/** Adds points to the day of a time, and forgets the days before the longest period that ends then. */
export function addPoints(daily: DailyPoints, at: string, points: number): DailyPoints {
  const day = at.slice(0, 10);
  const oldest = findFirstDay(Date.parse(at), LONGEST_PERIOD_DAYS);
  const sum = points + (daily.find(([other]) => other === day)?.[1] ?? 0);
  const others = daily.filter(([other]) => other !== day && other >= oldest);
  return [...others, [day, sum] as const].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Takes points from the day of a time, unless the day is forgotten. */
export function takePoints(daily: DailyPoints, at: string, points: number): DailyPoints {
  const day = at.slice(0, 10);
  return daily.map(([other, sum]) => [other, other === day ? sum - points : sum]);
}

export function sumSince(daily: DailyPoints, firstDay: string): number {
  return daily.reduce((sum, [day, points]) => (day >= firstDay ? sum + points : sum), 0);
}

/** Returns the first UTC day of a period of this many days, which ends with the day of `now`. */
export function findFirstDay(now: number, days: number): string {
  return new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

import { scheduleNextAttempt } from '../../../src/webhooks/domain/retry-schedule.js';

const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const NOW = '2026-02-01T09:00:00.000Z';

function secondsAfter(attempts: number, { jitter = 0, retryAfter = null as number | null } = {}): number | null {
  const next = scheduleNextAttempt(attempts, { schedule: SCHEDULE, jitter }, NOW, retryAfter);
  return next === null ? null : (Date.parse(next) - Date.parse(NOW)) / 1_000;
}

describe('The retry schedule', () => {
  it('has ten attempts within 75 hours and 35 minutes', () => {
    const waits = SCHEDULE.map((_, i) => secondsAfter(i + 1)!);
    expect(waits).toEqual(SCHEDULE);
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(75 * 3_600 + 35 * 60 + 5);
    expect(secondsAfter(10)).toBeNull();
  });

  it('adds a jitter of at most 10 %', () => {
    expect(secondsAfter(2, { jitter: 0.5 })).toBe(315);
    expect(secondsAfter(2, { jitter: 0.999 })).toBeLessThanOrEqual(330);
  });

  it('adds a jitter of at most 15 minutes', () => expect(secondsAfter(9, { jitter: 0.999 })).toBe(86_400 + 900));

  it('waits as long as the receiver asks, but at most a day', () => {
    expect(secondsAfter(1, { retryAfter: 120 })).toBe(120);
    expect(secondsAfter(1, { retryAfter: 1_000_000 })).toBe(86_400);
  });

  it('is not shortened by a Retry-After header', () => expect(secondsAfter(2, { retryAfter: 1 })).toBe(300));
});

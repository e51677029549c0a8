import { calculatePeriodEnd, type Cycle, findAnchorDay } from '../../../src/commerce/domain/billing-period.js';

const MONTHLY: Cycle = { interval: 'month', intervalCount: 1 };
const YEARLY: Cycle = { interval: 'year', intervalCount: 1 };

/** Returns the last days of the first `count` periods. */
function listPeriodEnds(start: string, cycle: Cycle, count: number): string[] {
  const days: string[] = [];
  for (let end = start; days.length < count; days.push(end.slice(0, 10)))
    end = calculatePeriodEnd(end, cycle, findAnchorDay(start));
  return days;
}

describe('A billing period', () => {
  it.each([
    MONTHLY,
    YEARLY,
    { interval: 'day', intervalCount: 36 } as const,
    { interval: 'week', intervalCount: 5 } as const,
  ])('ends at the latest with the year 9999: %j', (cycle) =>
    expect(calculatePeriodEnd('9999-12-12T09:00:00.000Z', cycle, 12)).toBe('9999-12-31T23:59:59.999Z'),
  );

  it('returns to the 31st after short months', () =>
    expect(listPeriodEnds('2026-01-31T09:00:00.000Z', MONTHLY, 5)).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
    ]));

  it('returns to the 30th after the February of a leap year', () =>
    expect(listPeriodEnds('2028-01-30T09:00:00.000Z', MONTHLY, 2)).toEqual(['2028-02-29', '2028-03-30']));

  it('returns to 29 February in leap years', () =>
    expect(listPeriodEnds('2028-02-29T09:00:00.000Z', YEARLY, 4)).toEqual([
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]));

  it('adds several months across the end of a year', () =>
    expect(listPeriodEnds('2026-08-31T09:00:00.000Z', { interval: 'month', intervalCount: 3 }, 3)).toEqual([
      '2026-11-30',
      '2027-02-28',
      '2027-05-31',
    ]));

  it('keeps the time of day', () =>
    expect(calculatePeriodEnd('2026-01-31T23:59:59.999Z', MONTHLY, 31)).toBe('2026-02-28T23:59:59.999Z'));

  it('adds days and weeks without an anchor day', () => {
    expect(listPeriodEnds('2026-02-27T09:00:00.000Z', { interval: 'day', intervalCount: 2 }, 2)).toEqual([
      '2026-03-01',
      '2026-03-03',
    ]);
    expect(listPeriodEnds('2026-02-27T09:00:00.000Z', { interval: 'week', intervalCount: 1 }, 1)).toEqual([
      '2026-03-06',
    ]);
  });
});

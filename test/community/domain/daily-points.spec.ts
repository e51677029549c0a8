import {
  addPoints,
  type DailyPoints,
  packDays,
  sumPackedSince,
  takePoints,
  toDay,
} from '../../../src/community/domain/daily-points.js';

const FIRST = '2026-02-01T23:59:59.999Z';

const sumSince = (daily: DailyPoints, firstDay: string) => {
  const first = toDay(Date.parse(firstDay));
  return sumPackedSince(packDays(daily, first), first);
};

describe('The points of a member by day', () => {
  it('are added to the UTC day', () => {
    const daily = addPoints(addPoints(addPoints([], FIRST, 5), FIRST, 2), '2026-02-02T00:00:00.000Z', 1);
    expect(daily).toEqual([
      ['2026-02-01', 7],
      ['2026-02-02', 1],
    ]);
  });

  it.each([
    ['2026-03-02', 6],
    ['2026-03-03', 1],
  ])('leave a period of 30 days that ends on %s with %i', (last, points) => {
    expect(sumSince(addPoints(addPoints([], FIRST, 5), `${last}T00:00:00.000Z`, 1), '2026-01-01')).toBe(points);
  });

  it.each([
    ['2026-02-01', 5],
    ['2026-02-02', 0],
  ])('give a period that begins on %s the sum %i', (first, points) => {
    expect(sumSince(addPoints([], FIRST, 5), first)).toBe(points);
  });

  it('are taken from the day of the award', () =>
    expect(takePoints(addPoints([], FIRST, 5), FIRST, 5)).toEqual([['2026-02-01', 0]]));

  it('are not taken from a forgotten day', () =>
    expect(takePoints(addPoints([], FIRST, 5), '2026-01-01T00:00:00.000Z', 5)).toEqual([['2026-02-01', 5]]));
});

import { validate } from 'class-validator';
import { IsDateOrTime, parseDateRange } from '../../../src/http/validation/date-range.js';

class DateQuery {
  @IsDateOrTime()
  at: unknown;
}

async function isTaken(at: unknown): Promise<boolean> {
  return (await validate(Object.assign(new DateQuery(), { at }))).length === 0;
}

const NAMES = ['from', 'to'] as const;

describe('A date filter', () => {
  it.each(['2026-02-28', '2028-02-29', '2026-02-28T09:00Z', '2026-02-28T09:00:00+02:00', '2026-02-28T09:00:00.123Z'])(
    'accepts %s',
    async (at) => expect(await isTaken(at)).toBe(true),
  );

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-02-30T09:00:00Z',
    '2026-02-28T25:00:00Z',
    '2026-02-28T09:00:00',
    'yesterday',
    '',
    5,
    '9999-12-31T23:59:59-23:59',
  ])('rejects %s', async (at) => expect(await isTaken(at)).toBe(false));

  it.each([
    ['2026-02-28T09:00:00', 'at must end with an offset from UTC, such as Z or +01:00'],
    ['2026-02-28T09:00', 'at must end with an offset from UTC, such as Z or +01:00'],
    ['2026-02-30T09:00:00', 'at must be an ISO 8601 date or time'],
    ['yesterday', 'at must be an ISO 8601 date or time'],
  ])('says what is missing in %s', async (at, message) => {
    const [error] = await validate(Object.assign(new DateQuery(), { at }));
    expect(Object.values(error!.constraints!)).toEqual([message]);
  });

  it('includes the whole day in UTC for a date without a time', () =>
    expect(parseDateRange('2026-02-01', '2026-02-01', NAMES)).toEqual({
      from: '2026-02-01T00:00:00.000Z',
      to: '2026-02-01T23:59:59.999Z',
    }));

  it('can be open at either end, or at both', () => {
    expect(parseDateRange('2026-02-01T10:00:00+01:00', undefined, NAMES)).toEqual({ from: '2026-02-01T09:00:00.000Z' });
    expect(parseDateRange(undefined, '2026-02-01', NAMES)).toEqual({ to: '2026-02-01T23:59:59.999Z' });
    expect(parseDateRange(undefined, undefined, NAMES)).toBeNull();
  });

  it('cannot end before it begins', () =>
    expect(() => parseDateRange('2026-02-02', '2026-02-01', NAMES)).toThrow('invalid_parameter'));
});

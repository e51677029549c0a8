import { SystemClock, toIso } from '../../src/kernel/clock.js';

const HOUR_MS = 3_600_000;

describe('A sleep', () => {
  const clock = new SystemClock();

  it('ends as soon as its signal aborts', async () => {
    const controller = new AbortController();
    const sleeping = clock.sleep(HOUR_MS, controller.signal);
    controller.abort();
    await expect(sleeping).resolves.toBeUndefined();
  });

  it('ends at once when its signal is already aborted', async () => {
    await expect(clock.sleep(HOUR_MS, AbortSignal.abort())).resolves.toBeUndefined();
  });
});

describe('A time in ISO 8601', () => {
  it('is in UTC with milliseconds', () => {
    expect(toIso(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('The delay before the next poll', () => {
  const delayAt = (monotonic: number) =>
    Object.assign(new SystemClock(), { monotonic: () => monotonic }).computePollDelay(500);

  it('ends at the same time for loops that begin to wait at different times', () => {
    expect([delayAt(600), delayAt(900)]).toEqual([400, 100]);
  });

  it('is a whole interval at a multiple of the interval', () => {
    expect(delayAt(1_000)).toBe(500);
  });

  it('skips the multiple before which the timer of the last poll has ended', () => {
    expect(delayAt(999)).toBe(501);
  });
});

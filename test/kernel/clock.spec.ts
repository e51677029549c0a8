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

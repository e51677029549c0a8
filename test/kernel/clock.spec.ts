import { iso, SystemClock } from '../../src/kernel/clock.js';

const HOUR_MS = 3_600_000;

describe('Sleep', () => {
  const clock = new SystemClock();

  it('ends as soon as it is not wanted any more', async () => {
    const controller = new AbortController();
    const sleeping = clock.sleep(HOUR_MS, controller.signal);
    controller.abort();
    await expect(sleeping).resolves.toBeUndefined();
  });

  it('does not begin when it is not wanted in the first place', async () => {
    await expect(clock.sleep(HOUR_MS, AbortSignal.abort())).resolves.toBeUndefined();
  });
});

describe('A time', () => {
  it('is written in UTC with milliseconds', () => {
    expect(iso(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});

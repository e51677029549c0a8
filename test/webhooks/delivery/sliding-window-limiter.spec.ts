import { SlidingWindowLimiter } from '../../../src/webhooks/delivery/sliding-window-limiter.js';

/** Returns the start times of requests that start one after another, each as early as the limiter allows. */
function collectStarts(limiter: SlidingWindowLimiter, ...requested: readonly number[]): number[] {
  return requested.map((at) => {
    const start = Math.max(at, limiter.nextStartAt);
    limiter.recordStart(start);
    return start;
  });
}

describe('The sliding window limiter', () => {
  it('allows a full window of starts at once, and the next start a second after the first', () =>
    expect(collectStarts(new SlidingWindowLimiter(3), 0, 0, 100, 100, 200)).toEqual([0, 0, 100, 1_000, 1_000]));

  it('never allows more starts in any second', () => {
    const starts = collectStarts(
      new SlidingWindowLimiter(7),
      ...Array.from({ length: 500 }, (_, i) => Math.floor(i / 50) * 600),
    );
    for (const from of starts)
      expect(starts.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(7);
  });

  it('allows one start per longer window at a rate below one per second', () =>
    expect(collectStarts(new SlidingWindowLimiter(0.5), 0, 0, 0)).toEqual([0, 2_000, 4_000]));

  it('counts the starts before a change of the limit', () => {
    const limiter = new SlidingWindowLimiter(3);
    collectStarts(limiter, 0, 10, 20);
    limiter.setRate(1);
    expect(limiter.nextStartAt).toBe(1_020);
    limiter.setRate(2);
    expect(collectStarts(limiter, 30, 30)).toEqual([30, 1_020]);
  });
});

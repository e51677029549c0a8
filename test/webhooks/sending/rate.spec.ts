import { Rate } from '../../../src/webhooks/sending/rate.js';

/** Returns the start times of requests that start one after another, each as early as the limiter allows. */
function started(rate: Rate, ...asked: readonly number[]): number[] {
  return asked.map((at) => {
    const start = Math.max(at, rate.opensAt);
    rate.add(start);
    return start;
  });
}

describe('The sliding window limiter', () => {
  it('allows a full window of starts at once, and the next start a second after the first', () =>
    expect(started(new Rate(3), 0, 0, 100, 100, 200)).toEqual([0, 0, 100, 1_000, 1_000]));

  it('never allows more starts in any second', () => {
    const starts = started(new Rate(7), ...Array.from({ length: 500 }, (_, i) => Math.floor(i / 50) * 600));
    for (const from of starts) expect(starts.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(7);
  });

  it('allows one start per longer window at a rate below one per second', () =>
    expect(started(new Rate(0.5), 0, 0, 0)).toEqual([0, 2_000, 4_000]));

  it('counts the starts before a change of the limit', () => {
    const rate = new Rate(3);
    started(rate, 0, 10, 20);
    rate.limit(1);
    expect(rate.opensAt).toBe(1_020);
    rate.limit(2);
    expect(started(rate, 30, 30)).toEqual([30, 1_020]);
  });
});

import { TokenBuckets } from '../../../src/http/server/token-buckets.js';
import { ManualClock } from '../../support/clock.js';

describe('A bucket of 3 tokens with 2 new tokens per second', () => {
  let clock: ManualClock;
  let buckets: TokenBuckets;
  beforeEach(() => {
    clock = new ManualClock();
    buckets = new TokenBuckets({ perSecond: 2, burst: 3 }, clock);
  });

  const taken = (times: number, name = 'ann') => Array.from({ length: times }, () => buckets.take(name).granted);

  it('grants 3 requests at once, but not a fourth', () => expect(taken(4)).toEqual([true, true, true, false]));

  it('grants 2 more after each second', async () => {
    taken(3);
    await clock.advance(1_000);

    expect(taken(3)).toEqual([true, true, false]);
  });

  it('never contains more than 3', async () => {
    await clock.advance(60_000);

    expect(taken(4)).toEqual([true, true, true, false]);
  });

  it('loses no token by a rejected request', async () => {
    taken(3);
    for (let asked = 0; asked < 5; asked++) {
      await clock.advance(90);
      expect(taken(1)).toEqual([false]);
    }
    await clock.advance(50);

    expect(taken(1)).toEqual([true]);
  });

  it('is separate for each key', () => {
    taken(3);

    expect(taken(1, 'bob')).toEqual([true]);
  });

  it('returns the remaining tokens, and the time until the next', () => {
    expect(buckets.take('ann')).toEqual({ granted: true, remaining: 2, nextInSeconds: 0, fullInSeconds: 1 });
    taken(2);
    expect(buckets.take('ann')).toEqual({ granted: false, remaining: 0, nextInSeconds: 1, fullInSeconds: 2 });
  });
});

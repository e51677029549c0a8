import { KeyedMutex } from '../../src/engine/keyed-mutex.js';
import { ManualClock } from '../support/clock.js';

function createLog() {
  const clock = new ManualClock();
  const all = new KeyedMutex();
  const log: string[] = [];
  const work = (key: string, name: string) =>
    all.run(key, async () => {
      log.push(`${name} begins`);
      await clock.sleep(10);
      log.push(`${name} ends`);
      return name;
    });
  return { clock, all, log, work };
}

describe('Work under one key', () => {
  it('runs sequentially, in order of arrival', async () => {
    const { clock, log, work } = createLog();
    const results = Promise.all([work('a', 'first'), work('a', 'second')]);
    await clock.advance(20);
    expect(await results).toEqual(['first', 'second']);
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('runs concurrently with work under another key', async () => {
    const { clock, log, work } = createLog();
    const results = Promise.all([work('a', 'first'), work('b', 'second')]);
    await clock.advance(10);
    await results;
    expect(log).toEqual(['first begins', 'second begins', 'first ends', 'second ends']);
  });

  it('is not blocked by an earlier failure, which only its own caller gets', async () => {
    const { clock, all, work } = createLog();
    const failed = all.run('a', () => Promise.reject(new Error('no')));
    const next = work('a', 'next');
    await expect(failed).rejects.toThrow('no');
    await clock.advance(10);
    expect(await next).toBe('next');
  });
});

import { Baselines } from '../../../src/engine/streams/baselines.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { keyQuotaDecider } from '../../../src/identity/domain/ownership-quota.js';
import { EagerClock, SeededRandom, waitUntilIdle } from '../../support/clock.js';
import { createContext } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const BUSINESS = 'biz_1';
const ROTATIONS = 150;

describe('The quota of a business that rotates a key many times', () => {
  it('is read by another process from its baseline on', async () => {
    const clock = new EagerClock();
    const [store, models] = [new MemoryEventStore(clock), new MemoryReadModels(clock)];
    const createStreams = (seed: number) => new Streams(store, clock, new SeededRandom(seed), new Baselines(models));
    const streams = createStreams(1);
    const run = (type: 'ClaimQuota' | 'ReleaseQuota', ownedId: string) =>
      streams.execute(keyQuotaDecider, BUSINESS, { type, ownedId, limit: 3 }, createContext(`${type} ${ownedId}`));
    for (let i = 0; i < ROTATIONS; i++) {
      await run('ClaimQuota', `key_${i + 1}`);
      if (i > 0) await run('ReleaseQuota', `key_${i}`);
    }
    await waitUntilIdle();
    const reads: number[] = [];
    const readStream = store.readStream.bind(store);
    store.readStream = (stream, options) => {
      reads.push(options?.from ?? 0);
      return readStream(stream, options);
    };

    const claims = await createStreams(2).loadState(keyQuotaDecider, BUSINESS);
    expect([...claims.keys()]).toEqual([`key_${ROTATIONS}`]);
    expect(Math.min(...reads)).toBeGreaterThanOrEqual(ROTATIONS);
  });
});

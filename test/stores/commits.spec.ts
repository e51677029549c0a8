import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Conflict } from '../../src/kernel/event-store.js';
import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { collect, createEvent, createEvents, pickIds } from '../contracts/events.js';
import { seed } from '../contracts/seed.js';
import { Folder } from './support/folder.js';

const FULL = 2;

describe('The commits of the embedded store', () => {
  const folder = Folder.each();
  let stores: EmbeddedStores;
  beforeEach(async () => {
    stores = await folder.open();
  });

  it('wait for an fsync each, from the first write on', async () => {
    await stores.events.append('jar-1', 'none', createEvents(1));
    expect(await stores.readSynchronous()).toBe(FULL);

    await stores.close();
    stores = await folder.open();
    await stores.events.append('jar-1', 0, createEvents(1));
    expect(await stores.readSynchronous()).toBe(FULL);
  });

  it('succeed when another call of the same group is refused or fails', async () => {
    const [taken] = createEvents(1);
    await stores.events.append('jar-1', 'none', [taken!]);

    const together = await Promise.allSettled([
      stores.events.append('jar-2', 'none', createEvents(2)),
      stores.events.append('jar-1', 'none', createEvents(1)),
      stores.events.append('jar-3', 'none', [createEvent(), taken!]),
      stores.models.upsert('nobody has prepared this', [{ id: 'a', position: '1', document: {} }]),
      stores.events.append('jar-4', 'none', createEvents(1)),
    ]);

    expect(together.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect((together[1] as PromiseRejectedResult).reason).toBeInstanceOf(Conflict);
    expect(await Promise.all(['jar-2', 'jar-1', 'jar-3', 'jar-4'].map(readLength))).toEqual([2, 1, 0, 1]);
  });

  it('never record an event id twice', async () => {
    const given = createEvents(1);
    await stores.events.append('jar-1', 'none', given);

    await expect(stores.events.append('jar-2', 'none', given)).rejects.toThrow('events.id');
    expect(await readLength('jar-2')).toBe(0);
  });

  it('never reuse a position', async () => {
    const { position } = await stores.events.append('jar-1', 'none', createEvents(3));
    await stores.close();
    const db = new DatabaseSync(folder.file);
    db.exec('delete from events');
    db.close();

    stores = await folder.open();
    expect((await stores.events.append('jar-1', 'none', createEvents(1))).position > position).toBe(true);
  });

  it('include every call from before the store was closed, and no later one', async () => {
    const asked = Array.from({ length: 300 }, (_, i) => stores.events.append(`jar-${i}`, 'none', createEvents(1)));
    await stores.close();

    await Promise.all(asked);
    await expect(stores.events.append('jar-x', 'none', createEvents(1))).rejects.toMatchObject({
      name: 'StoreUnavailable',
      maybeWritten: false,
    });
    stores = await folder.open();
    expect((await stores.events.readAll({ limit: 1_000 })).events).toHaveLength(300);
  });

  it('give revisions without gaps under any interleaving of appends', async () => {
    const append = fc.record({
      jar: fc.nat(2),
      expected: fc.integer({ min: -1, max: 6 }),
      count: fc.integer({ min: 1, max: 3 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(append, { maxLength: 30 }), async (appends) => {
        run++;
        const streams = [0, 1, 2].map((jar) => `run${run}-${jar}`);
        const outcomes = await Promise.allSettled(
          appends.map(({ jar, expected, count }) =>
            stores.events.append(streams[jar]!, expected < 0 ? 'none' : expected, createEvents(count)),
          ),
        );

        for (const [jar, stream] of streams.entries()) {
          const recorded = await collect(stores.events.readStream(stream));
          const acknowledged = appends.filter((one, i) => one.jar === jar && outcomes[i]!.status === 'fulfilled');
          expect(recorded.map(({ revision }) => revision)).toEqual(recorded.map((_, i) => i));
          expect(recorded).toHaveLength(acknowledged.reduce((sum, { count }) => sum + count, 0));
          expect(new Set(pickIds(recorded)).size).toBe(recorded.length);
        }
      }),
      { seed, numRuns: 50 },
    );
  });

  async function readLength(stream: string): Promise<number> {
    return (await collect(stores.events.readStream(stream))).length;
  }
});

import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { collect, createEvents } from '../contracts/events.js';
import { Folder } from './support/folder.js';

/** More events of other processes than the store waits for before it forgets the ends. */
const MANY = 600;

describe('The embedded store', () => {
  const folder = Folder.each();
  let mine: EmbeddedStores;
  let otherStores: EmbeddedStores;
  beforeEach(async () => {
    [mine, otherStores] = [await folder.open(), await folder.open()];
  });

  it('knows the last revision of a stream that this process has written', async () => {
    await mine.events.append('jar-1', 'none', createEvents(2));
    await mine.events.append('jar-2', 'none', createEvents(3));

    expect(mine.events.isLastRevision('jar-1', 1)).toBe(true);
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(false);
    expect(otherStores.events.isLastRevision('jar-1', 1)).toBe(false);
  });

  it('knows it after a read, also for an empty stream', async () => {
    await otherStores.events.append('jar-1', 'none', createEvents(2));
    expect(mine.events.isLastRevision('jar-1', 1)).toBe(false);
    await collect(mine.events.readStream('jar-1'));
    await collect(mine.events.readStream('jar-2'));

    expect(mine.events.isLastRevision('jar-1', 1)).toBe(true);
    expect(mine.events.isLastRevision('jar-2', -1)).toBe(true);
  });

  it('notices the next event of another process as soon as that is acknowledged', async () => {
    await mine.events.append('jar-1', 'none', createEvents(2));
    await otherStores.events.append('jar-1', 1, createEvents(1));

    expect(mine.events.isLastRevision('jar-1', 1)).toBe(false);
    await collect(mine.events.readStream('jar-1', { from: 2 }));
    await mine.events.readAll({ limit: 10 });
    expect(mine.events.isLastRevision('jar-1', 2)).toBe(true);
  });

  it('knows it however many cached events of other streams follow', async () => {
    await mine.events.append('jar-1', 'none', createEvents(1));
    await mine.events.append('jar-2', 'none', createEvents(MANY));
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(true);
    expect(mine.events.isLastRevision('jar-2', MANY - 1)).toBe(true);
  });

  it('does not know it after events that this process has not read', async () => {
    await mine.events.append('jar-1', 'none', createEvents(1));
    await otherStores.events.append('jar-2', 'none', createEvents(1));
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(false);
    await mine.events.readAll({ limit: 10 });
    await mine.events.readAll({ limit: 10, after: (await mine.events.readAll({ limit: 1 })).next });
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(true);
  });

  it('reads the stream again after more such events than it waits for', async () => {
    await mine.events.append('jar-1', 'none', createEvents(1));
    await otherStores.events.append('jar-2', 'none', createEvents(MANY));
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(false);
    await collect(mine.events.readStream('jar-1', { from: 1 }));
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(true);

    await otherStores.events.append('jar-1', 0, createEvents(1));
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(false);
  });

  it('agrees with the log after appends of two processes in any order', async () => {
    const revisions = new Map<string, number>();
    for (let i = 0; i < 200; i++) {
      const stream = `jar-${(i * 7) % 5}`;
      const last = revisions.get(stream) ?? -1;
      const stores = (i * i) % 3 === 0 ? mine : otherStores;
      await stores.events.append(stream, last < 0 ? 'none' : last, createEvents(1));
      revisions.set(stream, last + 1);
      if (stores === mine) expect(mine.events.isLastRevision(stream, last + 1)).toBe(true);
      if (i % 4 === 0) await collect(mine.events.readStream(`jar-${i % 5}`));
      if (i % 9 === 0) await mine.events.readAll({ limit: 1_000 });
      for (const [name, revision] of revisions) {
        expect(mine.events.isLastRevision(name, revision - 1)).toBe(false);
        expect(mine.events.isLastRevision(name, revision + 1)).toBe(false);
      }
    }
  });
});

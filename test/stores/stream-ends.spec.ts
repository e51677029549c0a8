import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { collect, createEvents } from '../contracts/events.js';
import { Folder } from './support/folder.js';

/** More events than the store searches for the end of a stream. */
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

  it('does not search many events for it', async () => {
    await mine.events.append('jar-1', 'none', createEvents(1));
    await mine.events.append('jar-2', 'none', createEvents(MANY));
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(false);

    await collect(mine.events.readStream('jar-1', { from: 1 }));
    expect(mine.events.isLastRevision('jar-1', 0)).toBe(true);
  });
});

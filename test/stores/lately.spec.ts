import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { all, event, events, ids } from '../contracts/events.js';
import { Folder } from './support/folder.js';

/** More than are remembered. */
const MANY = 5_000;

describe('What the embedded store was lately given', () => {
  const folder = Folder.each();
  let mine: EmbeddedStores;
  let theirs: EmbeddedStores;
  beforeEach(async () => {
    [mine, theirs] = [await folder.open(), await folder.open()];
  });

  async function expectTheSameLog(): Promise<void> {
    const [here, there] = await Promise.all([mine, theirs].map((stores) => stores.events.readAll({ limit: 2 * MANY })));
    expect(here).toEqual(there);
  }

  it('is read as others read it', async () => {
    await mine.events.append('jar-1', 'none', [event({ name: 'naïve 😀', nothing: null, list: [1, 2.5] }), ...events(2)]);
    await mine.events.append('jar-1', 2, [event({ long: 'x'.repeat(100_000) })]);

    expect(await all(mine.events.readStream('jar-1'))).toEqual(await all(theirs.events.readStream('jar-1')));
    await expectTheSameLog();
  });

  it('is read with what others wrote between, and what is forgotten', async () => {
    const rounds = Array.from({ length: 10 }, (_, i) => i);
    for (const i of rounds) {
      await mine.events.append(`mine-${i}`, 'none', events(MANY / 10));
      await theirs.events.append(`theirs-${i}`, 'none', events(3));
    }

    await expectTheSameLog();
  });

  it('is answered to a repeated append', async () => {
    const given = events(3);
    const first = await mine.events.append('jar-1', 'none', given);

    expect(await theirs.events.append('jar-1', 'none', given)).toEqual(first);
    expect(ids((await theirs.events.readAll({ limit: 10 })).events)).toEqual(ids(given));
  });

  it('comes in pages no longer than asked for', async () => {
    await mine.events.append('jar-1', 'none', events(5));
    const page = await mine.events.readAll({ limit: 2 });

    expect(page).toMatchObject({ caughtUp: false, next: page.events[1]!.position });
    expect(await mine.events.readAll({ after: page.next, limit: 3 })).toMatchObject({ caughtUp: true });
  });
});

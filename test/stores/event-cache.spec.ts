import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { collect, createEvent, createEvents, pickIds } from '../contracts/events.js';
import { Folder } from './support/folder.js';

/** More events than the cache holds. */
const MANY = 5_000;

describe('The event cache of the embedded store', () => {
  const folder = Folder.each();
  let mine: EmbeddedStores;
  let otherStores: EmbeddedStores;
  beforeEach(async () => {
    [mine, otherStores] = [await folder.open(), await folder.open()];
  });

  async function expectTheSameLog(): Promise<void> {
    const [here, there] = await Promise.all(
      [mine, otherStores].map((stores) => stores.events.readAll({ limit: 2 * MANY })),
    );
    expect(here).toEqual(there);
  }

  it('returns the same events as the file', async () => {
    await mine.events.append('jar-1', 'none', [
      createEvent({ name: 'naïve 😀', nothing: null, list: [1, 2.5] }),
      ...createEvents(2),
    ]);
    await mine.events.append('jar-1', 2, [createEvent({ long: 'x'.repeat(100_000) })]);

    expect(await collect(mine.events.readStream('jar-1'))).toEqual(
      await collect(otherStores.events.readStream('jar-1')),
    );
    await expectTheSameLog();
  });

  it('is combined with events of other processes and with evicted events', async () => {
    const rounds = Array.from({ length: 10 }, (_, i) => i);
    for (const i of rounds) {
      await mine.events.append(`mine-${i}`, 'none', createEvents(MANY / 10));
      await otherStores.events.append(`theirs-${i}`, 'none', createEvents(3));
    }

    await expectTheSameLog();
  });

  it('ends a page of cached events before an event of another process, which the next page has', async () => {
    await mine.events.append('jar-1', 'none', createEvents(2));
    const [foreign] = createEvents(1);
    await otherStores.events.append('jar-2', 'none', [foreign!]);
    await mine.events.append('jar-1', 1, createEvents(1));

    const page = await mine.events.readAll({ limit: 10 });
    expect(page).toMatchObject({ caughtUp: false, next: page.events[1]!.position });
    const rest = await mine.events.readAll({ after: page.next, limit: 10 });
    expect(rest).toMatchObject({ caughtUp: true, events: [{ id: foreign!.id }, { stream: 'jar-1', revision: 2 }] });
  });

  it('gives a repeated append the outcome of the first', async () => {
    const given = createEvents(3);
    const first = await mine.events.append('jar-1', 'none', given);

    expect(await otherStores.events.append('jar-1', 'none', given)).toEqual(first);
    expect(pickIds((await otherStores.events.readAll({ limit: 10 })).events)).toEqual(pickIds(given));
  });

  it('returns pages within the requested limit', async () => {
    await mine.events.append('jar-1', 'none', createEvents(5));
    const page = await mine.events.readAll({ limit: 2 });

    expect(page).toMatchObject({ caughtUp: false, next: page.events[1]!.position });
    expect(await mine.events.readAll({ after: page.next, limit: 3 })).toMatchObject({ caughtUp: true });
  });
});

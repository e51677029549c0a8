import type { DeadLetter } from '../../../src/engine/projections/dead-letter.js';
import { updateDeadLetter } from '../../../src/engine/projections/dead-letters.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { coinsAdded } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { createProjector } from '../../support/projector.js';

const MANY = 10_000;
const PAGE = 500;

interface SharedJar {
  readonly id: string;
  readonly events: number;
  readonly last: string;
  readonly isInOrder: boolean;
}

/** Counts the coins of all jars in one document, and fails on these positions of the log. */
function createSharedJars() {
  const failing = new Set<string>();
  const projection: Projection<SharedJar> = {
    name: 'sharedJars',
    version: 1,
    indexes: [],
    id: () => 'shared',
    on: {
      CoinsAdded(jar, { id, position }) {
        if (failing.has(id)) throw new Error('broken');
        const isInOrder = (jar?.isInOrder ?? true) && (jar?.last ?? '') < position;
        return { id: 'shared', events: (jar?.events ?? 0) + 1, last: position, isInOrder };
      },
    },
  };
  return { projection, failing };
}

/** A shared document whose first event fails, with later events in streams that alternate. */
async function blocked(streams: number, events = MANY) {
  const { projection, failing } = createSharedJars();
  const cluster = new TestCluster();
  const all = await createProjector(projection, cluster);
  const append = async (from: number, to: number) => {
    for (let i = from; i < to; i += PAGE) await cluster.append(`jar-${(i / PAGE) % streams}`, ...createCoins(i, to));
    const pages = cluster.store.log.slice(from);
    for (let i = 0; i < pages.length; i += PAGE) await all.projector.handle(pages.slice(i, i + PAGE));
  };
  failing.add(createCoins(0, 1)[0]!.id);
  await append(0, events);
  const release = async () => {
    for (const letter of await all.letters())
      if (letter.blocking) await updateDeadLetter(cluster.readModels, { ...letter, retry: true });
    await all.projector.refresh();
  };
  const loadSharedJar = async () => (await cluster.readModels.load('sharedJars@1', ['shared']))[0]?.document ?? null;
  return { ...all, projection, append, failing, release, loadSharedJar };
}

function createCoins(from: number, to: number): NewEvent[] {
  const count = Math.min(PAGE, to - from);
  return Array.from({ length: count }, (_, i) => coinsAdded('shared', `${from + i}`));
}

function summarize(letters: readonly DeadLetter[]) {
  return letters.map(({ position, to_position, events }) => [Number(position), Number(to_position), events]);
}

describe('A blocked document with many later events', () => {
  it.each([1, 3])(
    'has one dead letter for the events of %i streams, and a retry folds all events in order',
    async (streams) => {
      const { letters, failing, release, loadSharedJar, cluster } = await blocked(streams);
      expect(summarize(await letters())).toEqual([[1, MANY, MANY]]);

      failing.clear();
      await release();
      expect(await loadSharedJar()).toEqual({
        id: 'shared',
        events: MANY,
        last: cluster.store.log.at(-1)!.position,
        isInOrder: true,
      });
      expect(await letters()).toEqual([]);
    },
  );

  it('stores nothing more when a page is repeated, by the same process or another one', async () => {
    const { cluster, projector, projection, letters } = await blocked(1, PAGE);
    const before = await letters();
    await projector.handle(cluster.store.log.slice(100, 400));
    const other = await createProjector(projection, cluster);
    await other.projector.handle(cluster.store.log.slice(0, 400));
    expect(await letters()).toEqual(before);
  });

  it('keeps an event that failed before the one at which a process with other code has failed', async () => {
    const [one, other] = [createSharedJars(), createSharedJars()];
    const { cluster, projector, letters } = await createProjector(one.projection);
    await cluster.append('jar-0', ...createCoins(0, 9));
    const { log } = cluster.store;
    one.failing.add(log[5]!.id);
    other.failing.add(log[2]!.id);
    const { projector: late } = await createProjector(other.projection, cluster);
    await late.handle(log.slice(0, 2));
    await projector.handle(log.slice(5));
    await late.refresh();
    await late.handle(log.slice(2, 4));
    expect(summarize(await letters())).toEqual([
      [3, 4, 2],
      [6, 9, 4],
    ]);
  });

  it('waits after a second event that fails, which gets its own dead letter', async () => {
    const { cluster, letters, failing, release, loadSharedJar, append } = await blocked(1, 1_000);
    const second = cluster.store.log[700]!;
    failing.clear();
    failing.add(second.id);
    await release();
    expect(await loadSharedJar()).toMatchObject({ events: 700, isInOrder: true });
    expect(summarize(await letters())).toEqual([[701, 1_000, 300]]);

    await append(1_000, 1_500);
    expect(summarize(await letters())).toEqual([[701, 1_500, 800]]);
    failing.clear();
    await release();
    expect(await loadSharedJar()).toMatchObject({ events: 1_500, isInOrder: true });
    expect(await letters()).toEqual([]);
  });
});

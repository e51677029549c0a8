import fc from 'fast-check';
import type { Projector } from '../../../src/engine/projections/projector.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { scaleRuns, seeds } from '../../contracts/seed.js';
import { coinsAdded, createEvent, jarBroken, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { createProjector } from '../../support/projector.js';

const JARS = 'jars@1';

describe('A projection', () => {
  it('folds the events of each document', async () => {
    const { cluster, projector } = await createProjector();
    await cluster.append('jar-a', coinsAdded('a', '1', 5), coinsAdded('a', '2', 7));
    await cluster.append('jar-b', coinsAdded('b', '1', 1));
    expect(await projector.handle(cluster.store.log)).toBe(true);
    expect(await cluster.readDocuments(JARS)).toEqual([
      render(jars, 'a', cluster.store.log.slice(0, 2)),
      expect.objectContaining({ id: 'b', coins: 1 }),
    ]);
  });

  it('ignores other events', async () => {
    const { cluster, projector } = await createProjector();
    await cluster.append('lid-a', createEvent('lid', 'LidClosed', { jarId: 'a' }));
    expect(await projector.handle(cluster.store.log)).toBe(false);
    expect(cluster.readModels.saves).toEqual([]);
  });

  it('writes the documents of a page in one save', async () => {
    const { cluster, projector } = await createProjector();
    await cluster.append('jar-a', coinsAdded('a', '1'), coinsAdded('a', '2'));
    await cluster.append('jar-b', coinsAdded('b', '1'));
    await projector.handle(cluster.store.log);
    expect(cluster.readModels.saves).toEqual([{ collection: JARS, ids: ['a', 'b'] }]);
  });

  it('saves the documents of single events without loading them, whichever pages are repeated', async () => {
    const notes: Projection<JarDocument> = { ...jars, insertOnly: true, id: ({ id }) => id };
    const { cluster, projector } = await createProjector(notes);
    await cluster.append('jar-a', coinsAdded('a', '1', 5), coinsAdded('a', '2', 7));
    cluster.readModels.onLoad = () => Promise.reject(new Error('a document is loaded'));
    await projector.handle(cluster.store.log.slice(1));
    const saved = await cluster.readDocuments(JARS);
    await projector.handle(cluster.store.log);
    await projector.handle(cluster.store.log.slice(0, 1));

    const documents = await cluster.readDocuments(JARS);
    expect(documents).toHaveLength(2);
    expect(documents).toEqual(expect.arrayContaining(saved));
  });

  it('loads documents again instead of saving them more than ten minutes after the load', async () => {
    const { cluster, projector } = await createProjector();
    await cluster.append('jar-a', coinsAdded('a', '1', 5));
    cluster.readModels.onLoad = () => cluster.clock.advance(600_001);
    await expect(projector.handle(cluster.store.log)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(cluster.readModels.saves).toEqual([]);

    cluster.readModels.onLoad = () => cluster.clock.advance(600_000);
    await projector.handle(cluster.store.log);
    expect(await cluster.readDocuments(JARS)).toEqual([render(jars, 'a', cluster.store.log)]);
  });

  it('folds only the new events of a page that overlaps the last one', async () => {
    const { cluster, projector } = await createProjector();
    await cluster.append('jar-a', coinsAdded('a', '1', 5), coinsAdded('a', '2', 7), coinsAdded('a', '3', 1));
    await projector.handle(cluster.store.log.slice(0, 2));
    await projector.handle(cluster.store.log.slice(1));
    expect(await cluster.readDocuments(JARS)).toEqual([render(jars, 'a', cluster.store.log)]);
  });

  it.each(seeds)('has the same documents after whole, random and repeated pages (seed %i)', async (seed) => {
    const random = fc.record({
      jars: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('add', 'add', 'add', 'break')), {
        minLength: 1,
        maxLength: 40,
      }),
      cuts: fc.array(fc.nat(40), { maxLength: 8 }),
      again: fc.array(fc.nat(8), { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(random, async ({ jars: events, cuts, again }) => {
        const log = await logOf(events);
        expect(await documentsOf(withRepeats(pagesOf(log, cuts), again))).toEqual(await documentsOf([log]));
      }),
      { seed, numRuns: scaleRuns(75) },
    );
  });

  it.each(seeds)('is the same when two processes run it at different speeds (seed %i)', async (seed) => {
    const paces = fc.array(fc.boolean(), { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(paces, async (turns) => {
        const cluster = new TestCluster();
        for (let i = 0; i < 12; i++) await cluster.append(`jar-${i % 2}`, coinsAdded(String(i % 2), String(i)));
        const runs = await Promise.all([createProjector(jars, cluster), createProjector(jars, cluster)]);
        await Promise.all(runs.map(({ projector }, run) => inTurns(projector, cluster.store.log, turns, run === 0)));
        expect(await cluster.readDocuments(JARS)).toEqual(await documentsOf([cluster.store.log]));
      }),
      { seed, numRuns: scaleRuns(25) },
    );
  });
});

describe('A deleted document', () => {
  it('is not restored by a repeated page', async () => {
    const { cluster, projector, jarOf } = await createProjector();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.append('jar-a', jarBroken('a'));
    await projector.handle(cluster.store.log);
    await projector.handle(cluster.store.log.slice(0, 1));
    expect(await jarOf('a')).toBeNull();
    expect(await cluster.readDocuments(JARS)).toEqual([]);
  });

  it('leaves no tombstone when it never existed', async () => {
    const { cluster, projector } = await createProjector();
    await cluster.append('jar-a', jarBroken('a'));
    await projector.handle(cluster.store.log);
    expect(await cluster.readModels.load(JARS, ['a'])).toEqual([]);
  });
});

async function logOf(events: readonly (readonly [string, string])[]): Promise<readonly RecordedEvent[]> {
  const cluster = new TestCluster();
  for (const [i, [id, what]] of events.entries()) {
    await cluster.append(`jar-${id}`, what === 'add' ? coinsAdded(id, String(i), i) : jarBroken(id, String(i)));
  }
  return cluster.store.log;
}

async function documentsOf(pages: readonly (readonly RecordedEvent[])[]): Promise<unknown[]> {
  const { cluster, projector } = await createProjector();
  for (const page of pages) await projector.handle(page);
  return cluster.readDocuments(JARS);
}

function pagesOf(log: readonly RecordedEvent[], cuts: readonly number[]): (readonly RecordedEvent[])[] {
  const bounds = [0, ...cuts.map((cut) => cut % (log.length + 1)).sort((a, b) => a - b), log.length];
  return bounds.slice(1).map((end, i) => log.slice(bounds[i], end));
}

/** Repeats pages as after crashes: from a random page on, all events since an earlier page. */
function withRepeats<T>(pages: readonly T[], again: readonly number[]): T[] {
  return pages.flatMap((page, i) => (again.includes(i) ? [page, ...pages.slice(Math.max(0, i - 2), i + 1)] : [page]));
}

async function inTurns(
  projector: Projector<JarDocument>,
  log: readonly RecordedEvent[],
  turns: readonly boolean[],
  mine: boolean,
): Promise<void> {
  let from = 0;
  for (const turn of turns) {
    if (turn === mine && from < log.length) await projector.handle(log.slice(from, (from += 2)));
    else await new Promise(setImmediate);
  }
  await projector.handle(log.slice(from));
}

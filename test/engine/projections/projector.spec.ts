import fc from 'fast-check';
import type { Projector } from '../../../src/engine/projections/projector.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { render } from '../../../src/kernel/projection.js';
import { scaleRuns, seeds } from '../../contracts/seed.js';
import { coinsAdded, createEvent, jarBroken, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { createProjector } from '../../support/projector.js';

const JARS = 'jars@1';

describe('A projection', () => {
  it('folds the events of each document', async () => {
    const { house, projector } = await createProjector();
    await house.append('jar-a', coinsAdded('a', '1', 5), coinsAdded('a', '2', 7));
    await house.append('jar-b', coinsAdded('b', '1', 1));
    expect(await projector.handle(house.store.log)).toBe(true);
    expect(await house.readDocuments(JARS)).toEqual([
      render(jars, 'a', house.store.log.slice(0, 2)),
      expect.objectContaining({ id: 'b', coins: 1 }),
    ]);
  });

  it('ignores other events', async () => {
    const { house, projector } = await createProjector();
    await house.append('lid-a', createEvent('lid', 'LidClosed', { jarId: 'a' }));
    expect(await projector.handle(house.store.log)).toBe(false);
    expect(house.readModels.saves).toEqual([]);
  });

  it('writes the documents of a page in one save', async () => {
    const { house, projector } = await createProjector();
    await house.append('jar-a', coinsAdded('a', '1'), coinsAdded('a', '2'));
    await house.append('jar-b', coinsAdded('b', '1'));
    await projector.handle(house.store.log);
    expect(house.readModels.saves).toEqual([{ collection: JARS, ids: ['a', 'b'] }]);
  });

  it('loads documents again instead of saving them more than ten minutes after the load', async () => {
    const { house, projector } = await createProjector();
    await house.append('jar-a', coinsAdded('a', '1', 5));
    house.readModels.onLoad = () => house.clock.advance(600_001);
    await expect(projector.handle(house.store.log)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(house.readModels.saves).toEqual([]);

    house.readModels.onLoad = () => house.clock.advance(600_000);
    await projector.handle(house.store.log);
    expect(await house.readDocuments(JARS)).toEqual([render(jars, 'a', house.store.log)]);
  });

  it('folds only the new events of a page that overlaps the last one', async () => {
    const { house, projector } = await createProjector();
    await house.append('jar-a', coinsAdded('a', '1', 5), coinsAdded('a', '2', 7), coinsAdded('a', '3', 1));
    await projector.handle(house.store.log.slice(0, 2));
    await projector.handle(house.store.log.slice(1));
    expect(await house.readDocuments(JARS)).toEqual([render(jars, 'a', house.store.log)]);
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
        const house = new TestCluster();
        for (let i = 0; i < 12; i++) await house.append(`jar-${i % 2}`, coinsAdded(String(i % 2), String(i)));
        const runs = await Promise.all([createProjector(jars, house), createProjector(jars, house)]);
        await Promise.all(runs.map(({ projector }, run) => inTurns(projector, house.store.log, turns, run === 0)));
        expect(await house.readDocuments(JARS)).toEqual(await documentsOf([house.store.log]));
      }),
      { seed, numRuns: scaleRuns(25) },
    );
  });
});

describe('A deleted document', () => {
  it('is not restored by a repeated page', async () => {
    const { house, projector, jarOf } = await createProjector();
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.append('jar-a', jarBroken('a'));
    await projector.handle(house.store.log);
    await projector.handle(house.store.log.slice(0, 1));
    expect(await jarOf('a')).toBeNull();
    expect(await house.readDocuments(JARS)).toEqual([]);
  });

  it('leaves no tombstone when it never existed', async () => {
    const { house, projector } = await createProjector();
    await house.append('jar-a', jarBroken('a'));
    await projector.handle(house.store.log);
    expect(await house.readModels.load(JARS, ['a'])).toEqual([]);
  });
});

async function logOf(events: readonly (readonly [string, string])[]): Promise<readonly RecordedEvent[]> {
  const house = new TestCluster();
  for (const [i, [id, what]] of events.entries()) {
    await house.append(`jar-${id}`, what === 'add' ? coinsAdded(id, String(i), i) : jarBroken(id, String(i)));
  }
  return house.store.log;
}

async function documentsOf(pages: readonly (readonly RecordedEvent[])[]): Promise<unknown[]> {
  const { house, projector } = await createProjector();
  for (const page of pages) await projector.handle(page);
  return house.readDocuments(JARS);
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

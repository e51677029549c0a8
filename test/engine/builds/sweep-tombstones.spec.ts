import { sweepTombstones } from '../../../src/engine/builds/retention.js';
import { DEAD_LETTERS, deadLettersSchema } from '../../../src/engine/projections/dead-letters.js';
import { type Clock, DAY_MS } from '../../../src/kernel/clock.js';
import { SeededRandom } from '../../support/clock.js';
import { coinsAdded, createContext, jarBroken, jars, lids, poisonedJars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const JARS = 'jars@1#1';
const NEVER = new AbortController().signal;
/** All processes draw from it, so that no two of them are the same holder of a lease. */
const random = new SeededRandom(1);

async function idsKept(cluster: TestCluster, collection = JARS): Promise<string[]> {
  return (await cluster.readModels.scan(collection, null, 100)).map(({ id }) => id);
}

/** A process with its own clock, which differs from the clock of the cluster and of its store. */
function clockAhead(cluster: TestCluster, ms: number): Clock {
  return Object.assign(Object.create(cluster.clock) as Clock, { now: () => cluster.clock.now() + ms });
}

type Jars = typeof jars;
type Lids = typeof lids;

/** `follow` runs a process for a second. `sweep` searches for old tombstones, as a process does every hour. */
function createSweeper(given: Jars | readonly (Jars | Lids)[] = jars, cluster = new TestCluster()) {
  const projections = [given].flat();
  let times = 0;
  const follow = async () => {
    const { engine } = cluster.createProcess({ projections }, `follower ${++times}`);
    const started = engine.start();
    await cluster.clock.advance(1_000);
    await started;
    await engine.stop();
  };
  const { builds, deadLetterAdmin } = cluster.createProcess({ projections }, 'sweeper');
  const sweep = async (clock: Clock = cluster.clock) => {
    await builds.refresh();
    const swept = sweepTombstones(new Set(['jars@1']), { ...cluster, builds, clock, random }, NEVER);
    await cluster.clock.advance(60_000);
    await swept;
  };
  return { cluster, admin: deadLetterAdmin, builds, follow, sweep };
}

/** Stores the tombstone of a dead letter of a new event. */
async function addLetter(cluster: TestCluster): Promise<void> {
  await cluster.append('jar-b', coinsAdded('b', '1'));
  const { position } = cluster.store.log.at(-1)!;
  await cluster.readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  await cluster.readModels.upsert(DEAD_LETTERS, [{ id: 'letter', position, document: null }]);
}

describe('The tombstone of a deleted document', () => {
  it('is deleted a day after its build has passed it', async () => {
    const { cluster, follow, sweep } = createSweeper();
    await cluster.append('jar-a', coinsAdded('a', '1'), jarBroken('a'));
    await cluster.append('jar-b', coinsAdded('b', '1'));
    await follow();
    await cluster.clock.advance(DAY_MS);
    await sweep();
    await cluster.clock.advance(0.9 * DAY_MS);
    await sweep();
    expect(await idsKept(cluster)).toEqual(['a', 'b']);
    await cluster.clock.advance(0.2 * DAY_MS);
    await sweep();
    expect(await idsKept(cluster)).toEqual(['b']);
  });

  it('is kept for a day after its build has passed it, even if the event is old', async () => {
    const { cluster, follow, sweep } = createSweeper();
    await cluster.append('jar-b', coinsAdded('b', '1'));
    await follow();
    await cluster.append('jar-a', coinsAdded('a', '1'), jarBroken('a'));
    await cluster.clock.advance(5 * DAY_MS);
    await sweep();
    await follow();
    await cluster.clock.advance(DAY_MS);
    await sweep();
    expect(await idsKept(cluster)).toEqual(['a', 'b']);
    await cluster.clock.advance(DAY_MS);
    await sweep();
    expect(await idsKept(cluster)).toEqual(['b']);
  });

  it('is kept for a day of store time, even if the clock of a process is days ahead', async () => {
    const { cluster, follow, sweep } = createSweeper();
    await cluster.append('jar-a', coinsAdded('a', '1'), jarBroken('a'));
    await follow();
    await cluster.clock.advance(DAY_MS);
    await sweep();
    await sweep(clockAhead(cluster, 3 * DAY_MS));
    expect(await idsKept(cluster)).toEqual(['a']);
    await cluster.clock.advance(DAY_MS);
    await sweep(clockAhead(cluster, -3 * DAY_MS));
    expect(await idsKept(cluster)).toEqual([]);
  });

  it('is kept when its build has passed it after the first search of the day', async () => {
    const { cluster, follow, sweep } = createSweeper();
    await cluster.append('jar-b', coinsAdded('b', '1'));
    await follow();
    await cluster.clock.advance(DAY_MS);
    await sweep();
    await cluster.append('jar-a', coinsAdded('a', '1'), jarBroken('a'));
    await follow();
    await sweep();
    await cluster.clock.advance(0.9 * DAY_MS);
    await sweep();
    expect(await idsKept(cluster)).toEqual(['a', 'b']);
  });

  it('is deleted together with more tombstones than one batch holds', async () => {
    const { cluster, follow, sweep } = createSweeper();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await follow();
    const dead = Array.from({ length: 1_200 }, (_, i) => ({ id: `x${i}`, position: '0', document: null }));
    await cluster.readModels.upsert(JARS, dead);
    for (let day = 1; day <= 2; day++) {
      await cluster.clock.advance(DAY_MS);
      await sweep();
    }
    expect(await idsKept(cluster)).toEqual(['a']);
  });

  it('is kept when an earlier release recorded the positions without a day', async () => {
    const { builds, cluster, follow, sweep } = createSweeper();
    await cluster.append('jar-a', coinsAdded('a', '1'), jarBroken('a'));
    await follow();
    const reached = { [JARS]: await cluster.store.readHead() };
    await builds.refresh();
    await builds.change('jars@1', (entry) => ({ ...entry, swept: { reached } }));
    await cluster.clock.advance(DAY_MS);
    await sweep();

    expect(await idsKept(cluster)).toEqual(['a']);
  });

  it('is searched once a day, by one of several processes', async () => {
    const cluster = new TestCluster();
    const [one, other] = [createSweeper(jars, cluster), createSweeper(jars, cluster)];
    await cluster.append('jar-a', coinsAdded('a', '1'), jarBroken('a'));
    await one.follow();
    for (let day = 1; day <= 2; day++) {
      await cluster.clock.advance(DAY_MS);
      await Promise.all([one.sweep(), other.sweep()]);
      await one.sweep();
    }
    expect(cluster.readModels.sweeps.filter((collection) => collection === JARS)).toEqual([JARS]);
    expect(await idsKept(cluster)).toEqual([]);
  });
});

describe('The tombstone of a dead letter', () => {
  it('is deleted a day after all builds have passed its event', async () => {
    const { cluster, admin, follow, sweep } = createSweeper(poisonedJars);
    await follow();
    await cluster.append('jar-a', coinsAdded('a', 'bad', 13), coinsAdded('a', 'good', 1));
    await follow();
    const [letter] = await admin.list({ limit: 1 });
    await admin.skip(letter!, 'thirteen', createContext('skip'));
    await cluster.clock.advance(DAY_MS);
    await sweep();
    expect(await cluster.readModels.scan(DEAD_LETTERS, null, 9)).toMatchObject([{ document: null }]);
    await cluster.clock.advance(DAY_MS);
    await sweep();
    expect(await idsKept(cluster, DEAD_LETTERS)).toEqual([]);
    expect(await cluster.readDocuments(JARS)).toMatchObject([{ coins: 1 }]);
  });

  it('is kept while one of two builds has not passed its event', async () => {
    const cluster = new TestCluster();
    const [ofJars, ofBoth] = [createSweeper(jars, cluster), createSweeper([jars, lids], cluster)];
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await ofBoth.follow();
    await addLetter(cluster);
    await ofJars.follow();
    const passDays = async (sweep: () => Promise<void>) => {
      for (let day = 1; day <= 3; day++) {
        await cluster.clock.advance(DAY_MS);
        await sweep();
      }
    };
    await passDays(ofJars.sweep);
    expect(await idsKept(cluster, DEAD_LETTERS)).toEqual(['letter']);

    await ofBoth.follow();
    await passDays(ofBoth.sweep);
    expect(await idsKept(cluster, DEAD_LETTERS)).toEqual([]);
  });

  it('is kept until a build that is new today has passed it a day ago', async () => {
    const cluster = new TestCluster();
    const [ofJars, ofBoth] = [createSweeper(jars, cluster), createSweeper([jars, lids], cluster)];
    await addLetter(cluster);
    await ofJars.follow();
    await cluster.clock.advance(DAY_MS);
    await ofJars.sweep();
    await ofBoth.follow();
    await cluster.clock.advance(DAY_MS);
    await ofBoth.sweep();
    expect(await idsKept(cluster, DEAD_LETTERS)).toEqual(['letter']);

    await cluster.clock.advance(DAY_MS);
    await ofBoth.sweep();
    expect(await idsKept(cluster, DEAD_LETTERS)).toEqual([]);
  });

  it('is kept while a paused build has not passed its event', async () => {
    const cluster = new TestCluster();
    const { builds, follow, sweep } = createSweeper([jars, lids], cluster);
    await follow();
    await builds.change('lids@1', (entry) => ({ ...entry, paused: true }));
    await addLetter(cluster);
    await follow();
    for (let day = 1; day <= 3; day++) {
      await cluster.clock.advance(DAY_MS);
      await sweep();
    }

    expect(await idsKept(cluster, DEAD_LETTERS)).toEqual(['letter']);
  });
});

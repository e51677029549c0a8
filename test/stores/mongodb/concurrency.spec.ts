import { toIso } from '../../../src/kernel/clock.js';
import { at } from '../../contracts/documents.js';
import { seed } from '../../contracts/seed.js';
import { SeededRandom } from '../../support/clock.js';
import { Databases, onMongo } from './server.js';

const PROCESSES = 8;
const DUE = toIso(Date.parse('2026-02-01T09:00:00.000Z'));

/** Each process has its own connections, as it would on a separate machine. */
onMongo((server) => {
  const databases = Databases.each(server);
  const random = new SeededRandom(seed);
  const processes = () => Promise.all(Array.from({ length: PROCESSES }, () => databases.open()));

  it('gives each of 90 jobs to exactly one of eight processes', async () => {
    const all = await processes();
    await all[0]!.jobs.enqueue(createNumbers(90).map((n) => ({ key: `k${n}`, queue: 'mail', due: DUE, data: { n } })));
    const claimed = await Promise.all(
      all.map(async ({ jobs }, process) => {
        const mine: string[] = [];
        for (let limit = 1; limit > 0;) {
          const some = await jobs.claim('mail', { limit, leaseMs: 60_000, holder: `${process}` });
          mine.push(...some.map(({ key }) => key));
          limit = some.length === 0 ? 0 : 1 + Math.floor(random.next() * 4);
        }
        return mine;
      }),
    );

    expect(claimed.flat().sort()).toEqual(
      createNumbers(90)
        .map((n) => `k${n}`)
        .sort(),
    );
  });

  it('lets exactly one of eight processes win each of 20 changes to an entry', async () => {
    const all = await processes();
    for (const revision of createNumbers(20)) {
      const won = await Promise.all(
        all.map(({ catalogue }, by) => catalogue.compareAndSetEntry('jars@1', revision, { by })),
      );

      expect(won.filter((one) => one)).toHaveLength(1);
      expect(await all[0]!.catalogue.listEntries()).toEqual([
        { name: 'jars@1', revision: revision + 1, value: { by: won.indexOf(true) } },
      ]);
    }
  });

  it('has the newest row of a document after saves in any order, and counts it once', async () => {
    const all = await processes();
    await all[0]!.models.ensureCollection('jars', { indexes: [], totals: [['colour']] });
    const saves = shuffle(
      createNumbers(40).flatMap((position) => createNumbers(5).map((jar) => ({ jar, position: position + 1 }))),
    );
    const row = ({ jar, position }: { jar: number; position: number }) => ({
      id: `jar_${jar}`,
      position: at(position),
      document: { id: `jar_${jar}`, coins: position, colour: position % 2 ? 'red' : 'blue' },
    });
    await Promise.all(
      all.map((stores, process) =>
        saveInChunks(saves, process, (piece) => stores.models.upsert('jars', piece.map(row))),
      ),
    );

    const kept = await all[0]!.models.load(
      'jars',
      createNumbers(5).map((jar) => `jar_${jar}`),
    );
    expect(kept.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      createNumbers(5).map((jar) => row({ jar, position: 40 })),
    );
    expect([
      await all[0]!.models.count('jars', { colour: 'blue' }),
      await all[0]!.models.count('jars', { colour: 'red' }),
    ]).toEqual([5, 0]);
  });

  it('saves more rows at once than one command accepts, both new and existing', async () => {
    const { models } = await databases.open();
    const rows = (position: number, step: number) =>
      createNumbers(1_200 / step).map((n) => ({
        id: `jar_${n * step}`,
        position: at(position),
        document: { id: `jar_${n * step}`, position },
      }));
    await models.upsert('jars', rows(5, 2));
    await models.upsert('jars', rows(4, 1));

    expect(await models.count('jars', { position: 5 })).toBe(600);
    expect(await models.count('jars', { position: 4 })).toBe(600);
  });

  it('moves checkpoints to the furthest of all concurrent positions', async () => {
    const all = await processes();
    const values = shuffle(createNumbers(40).map((n) => at(n)));
    await Promise.all(
      all.map(({ checkpoints }, process) =>
        saveInChunks(values, process, (piece) => checkpoints.advanceCheckpoints({ a: piece[0]!, b: piece.at(-1)! })),
      ),
    );
    await all[0]!.checkpoints.advanceCheckpoints({ a: at(39), b: at(12) });

    expect(await all[1]!.checkpoints.readCheckpoint('a')).toBe(at(39));
  });

  it('gives a lease to one of eight processes, and a higher token to every next holder', async () => {
    const all = await processes();
    const tokens: number[] = [];
    for (const turn of createNumbers(5)) {
      const asked = await Promise.all(
        all.map(({ leases }, process) => leases.acquireLease('follower', `${process}`, 60_000)),
      );
      const holder = asked.findIndex((token) => token !== null);
      expect(asked.filter((token) => token !== null)).toHaveLength(1);
      tokens.push(asked[holder]!);
      expect(tokens).toHaveLength(turn + 1);
      await all[holder]!.leases.releaseLease('follower', `${holder}`);
    }

    expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
  });

  it('starts a request once when it reaches several processes', async () => {
    const all = await processes();
    const claim = { fingerprint: 'f', leaseMs: 60_000 };
    const claims = await Promise.all(
      all.map(({ idempotency }, process) =>
        idempotency.claim({ scope: 'biz_1', key: 'k' }, { ...claim, holder: `${process}` }),
      ),
    );

    expect(claims.filter(({ status }) => status === 'started')).toHaveLength(1);
    expect(claims.filter(({ status }) => status === 'in_progress')).toHaveLength(PROCESSES - 1);
  });

  /** Each process saves all rows in chunks, from a different start. */
  async function saveInChunks<T>(
    all: readonly T[],
    process: number,
    report: (piece: T[]) => Promise<void>,
  ): Promise<void> {
    const begin = Math.floor((all.length / PROCESSES) * process);
    const turned = [...all.slice(begin), ...all.slice(0, begin)];
    for (let i = 0; i < turned.length; i += 7) await report(turned.slice(i, i + 7));
  }

  function shuffle<T>(all: readonly T[]): T[] {
    return all
      .map((one) => ({ one, lot: random.next() }))
      .sort((a, b) => a.lot - b.lot)
      .map(({ one }) => one);
  }
});

function createNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

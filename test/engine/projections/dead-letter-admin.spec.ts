import type { DeadLetter } from '../../../src/engine/projections/dead-letter.js';
import { DEAD_LETTERS } from '../../../src/engine/projections/dead-letters.js';
import type { Registrations } from '../../../src/engine/registry.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { coinsAdded, createContext, type JarDocument, jars, lids } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#1';

/** Jars that cannot take these coins before their code is fixed. */
function fussyAbout(coins: number, error = `not ${coins}`) {
  let refused: number | null = coins;
  const projection: Projection<JarDocument> = {
    ...jars,
    on: {
      ...jars.on,
      CoinsAdded(document, event, id) {
        if (event.data.coins === refused) throw new Error(error);
        return jars.on.CoinsAdded!(document, event, id);
      },
    },
  };
  return { projection, fix: () => (refused = null) };
}

async function running(coins: number) {
  const cluster = new TestCluster();
  const { projection, fix } = fussyAbout(coins);
  const { engine, deadLetterAdmin } = cluster.createProcess({ projections: [projection] });
  await engine.start();
  const jarOf = async (id: string) => (await cluster.readModels.load(BUILD, [id]))[0]?.document ?? null;
  const letters = async () => (await cluster.readDocuments(DEAD_LETTERS)) as DeadLetter[];
  const written = async (...all: number[]) => {
    for (const coin of all) await cluster.append('jar-a', coinsAdded('a', `${coin}`, coin));
    await cluster.clock.advance(1_000);
  };
  const startOtherProcess = (other: NonNullable<Registrations['projections']>[number]) =>
    cluster.createProcess({ projections: [other] }, 'command line');
  return { cluster, projection, fix, engine, admin: deadLetterAdmin, jarOf, letters, written, startOtherProcess };
}

describe('The list of dead letters', () => {
  it('has one for each blocked document, with the number of its events, up to the limit', async () => {
    const { engine, admin, written, cluster } = await running(13);
    await written(13, 2);
    await cluster.append('jar-b', coinsAdded('b', '13', 13));
    await written(3);
    expect((await admin.list({ limit: 9 })).map(({ document, events }) => [document, events])).toEqual([
      ['b', 1],
      ['a', 3],
    ]);
    expect(await admin.list({ limit: 1 })).toHaveLength(1);
    await engine.stop();
  });
});

describe('A retried dead letter', () => {
  it('is folded with all events that were set aside after it, beside a running service', async () => {
    const { cluster, fix, engine, jarOf, letters, written, startOtherProcess } = await running(13);
    await written(1, 13, 2);
    fix();
    const { deadLetterAdmin } = startOtherProcess(jars);
    expect(await deadLetterAdmin.retry((await letters()).find(({ blocking }) => blocking)!)).toBeNull();
    await written(3);
    expect(await jarOf('a')).toEqual(render(jars, 'a', cluster.store.log));
    expect(await letters()).toEqual([]);
    await engine.stop();
  });

  it('is folded without a running service', async () => {
    const { cluster, engine, jarOf, letters, written, startOtherProcess } = await running(13);
    await written(1, 13, 2);
    await engine.stop();
    await startOtherProcess(jars).deadLetterAdmin.retry((await letters()).at(-1)!);
    expect(await jarOf('a')).toEqual(render(jars, 'a', cluster.store.log));
  });

  it('stays with its new error when it fails again', async () => {
    const { letters, written, engine, startOtherProcess } = await running(13);
    await written(1, 13, 2);
    const [before] = (await letters()).filter(({ blocking }) => blocking);
    const left = await startOtherProcess(fussyAbout(13, 'still thirteen').projection).deadLetterAdmin.retry(before!);
    expect(left).toEqual({ ...before, error: 'Error: still thirteen' });
    await engine.stop();
  });

  it('leaves a later failing event as the new blocking one', async () => {
    const { cluster, letters, written, jarOf, engine, startOtherProcess } = await running(13);
    await written(1, 13, 2, 17, 3);
    const [first] = (await letters()).filter((letter) => letter.blocking);
    expect(await startOtherProcess(fussyAbout(17).projection).deadLetterAdmin.retry(first!)).toBeNull();
    expect(await jarOf('a')).toEqual(render(jars, 'a', cluster.store.log.slice(0, 3)));
    expect(await letters()).toMatchObject([{ revision: 3, error: 'Error: not 17', blocking: true, events: 2 }]);
    await engine.stop();
  });

  it('waits for a process that has the code of its build', async () => {
    const { letters, written, engine, startOtherProcess } = await running(13);
    await written(13);
    const { deadLetterAdmin } = startOtherProcess(lids);
    expect(await deadLetterAdmin.retry((await letters())[0]!)).toMatchObject({ retry: true });
    await engine.stop();
  });
});

describe('A skipped event', () => {
  it('is removed from its document, which continues with the events that were set aside after it', async () => {
    const { cluster, admin, engine, jarOf, letters, written } = await running(13);
    await written(1, 13, 2);
    expect(
      await admin.skip(
        (await letters()).find(({ blocking }) => blocking)!,
        'a coin of another mint',
        createContext('skip'),
      ),
    ).toBeNull();
    await written(3);
    const [one, , two, , three] = cluster.store.log;
    expect(await jarOf('a')).toEqual(render(jars, 'a', [one!, two!, three!]));
    expect(await letters()).toEqual([]);
    await engine.stop();
  });

  it('is recorded with its document and the reason', async () => {
    const { cluster, admin, engine, letters, written } = await running(13);
    await written(13);
    const [letter] = await letters();
    await admin.skip(letter!, 'a coin of another mint', createContext('skip'));
    await admin.skip(letter!, 'a coin of another mint', createContext('skip again'));
    expect(cluster.store.log.filter(({ stream }) => stream === 'projectionSkips-jars')).toEqual([
      expect.objectContaining({
        type: 'EventSkipped',
        data: {
          projection: 'jars',
          document: 'a',
          eventId: cluster.store.log[0]!.id,
          reason: 'a coin of another mint',
        },
      }),
    ]);
    await engine.stop();
  });

  it('is skipped in another build too', async () => {
    const { cluster, admin, engine, letters, written } = await running(13);
    await written(1, 13, 2);
    await admin.skip(
      (await letters()).find(({ blocking }) => blocking)!,
      'a coin of another mint',
      createContext('skip'),
    );
    await engine.stop();
    const next = cluster.createProcess({ projections: [{ ...fussyAbout(13).projection, version: 2 }] }, 'next version');
    await next.engine.start();
    await cluster.clock.advance(1_000);
    const [row] = await cluster.readModels.load('jars@2#1', ['a']);
    expect(row!.document).toMatchObject({ coins: 3 });
    await next.engine.stop();
  });
});

describe('An index that decisions depend on', () => {
  it('stops at an event that it cannot fold, names it, and continues once it is skipped', async () => {
    const cluster = new TestCluster();
    const { projection } = fussyAbout(13);
    const { engine, deadLetterAdmin } = cluster.createProcess({
      projections: [{ ...projection, stopOnPoison: true }],
    });
    await engine.start();
    await cluster.append('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13));
    await cluster.append('jar-b', coinsAdded('b', '1', 5));
    await cluster.clock.advance(5_000);
    expect(engine.status().runners[0]!.failing).toMatchObject({
      error: 'PoisonEvent: jar-a at revision 1 (CoinsAdded): Error: not 13',
    });
    expect(await cluster.readDocuments(BUILD)).toEqual([]);

    await deadLetterAdmin.skip(
      (await deadLetterAdmin.list({ limit: 1 }))[0]!,
      'a coin of another mint',
      createContext('skip'),
    );
    await cluster.clock.advance(10_000);
    expect(engine.status().runners[0]!.failing).toBeNull();
    expect(await cluster.readDocuments(BUILD)).toMatchObject([{ coins: 1 }, { coins: 5 }]);
    expect(await deadLetterAdmin.list({ limit: 1 })).toEqual([]);
    await engine.stop();
  });

  it('folds every earlier event when the failed one is retried', async () => {
    const cluster = new TestCluster();
    let fixed = false;
    const projection = { ...fussyAbout(13).projection, stopOnPoison: true as const };
    const { CoinsAdded } = projection.on;
    const fixable: typeof jars = {
      ...projection,
      on: { ...projection.on, CoinsAdded: (...args) => (fixed ? jars.on : { CoinsAdded }).CoinsAdded!(...args) },
    };
    const { engine, deadLetterAdmin } = cluster.createProcess({ projections: [fixable] });
    await engine.start();
    await cluster.append('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13));
    await cluster.clock.advance(5_000);
    fixed = true;
    await deadLetterAdmin.retry((await deadLetterAdmin.list({ limit: 1 }))[0]!);
    await cluster.clock.advance(10_000);
    expect(await cluster.readDocuments(BUILD)).toMatchObject([{ coins: 14 }]);
    expect(await deadLetterAdmin.list({ limit: 1 })).toEqual([]);
    await engine.stop();
  });
});

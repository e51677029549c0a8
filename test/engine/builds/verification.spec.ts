import type { DeadLetter } from '../../../src/engine/projections/dead-letter.js';
import { DEAD_LETTERS } from '../../../src/engine/projections/dead-letters.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { coinsAdded, jarBroken, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#1';
const FAR = '9999999999999999';

async function filledJars(count = 40, projection = jars) {
  const cluster = new TestCluster();
  const service = cluster.createProcess({ projections: [projection] });
  await service.engine.start();
  for (let i = 0; i < count; i++)
    await cluster.append(`jar-${idOf(i)}`, coinsAdded(idOf(i), 'a', i), coinsAdded(idOf(i), 'b', 1));
  await cluster.append(`jar-${idOf(3)}`, jarBroken(idOf(3)));
  await cluster.clock.advance(500);
  return { cluster, ...service, operator: cluster.createProcess({ projections: [projection] }, 'operator').operator };
}

/** One jar with coins that it cannot take before its code is fixed, and with later coins. */
async function blocked() {
  let refused: number | null = 13;
  const fussy: Projection<JarDocument> = {
    ...jars,
    on: {
      ...jars.on,
      CoinsAdded(document, event, id) {
        if (event.data.coins === refused) throw new Error(`not ${refused}`);
        return jars.on.CoinsAdded!(document, event, id);
      },
    },
  };
  const service = await filledJars(10, fussy);
  await service.cluster.append(`jar-${idOf(4)}`, coinsAdded(idOf(4), 'c', refused), coinsAdded(idOf(4), 'd', 1));
  await service.cluster.clock.advance(500);
  const letters = async () => (await service.cluster.readDocuments(DEAD_LETTERS)) as DeadLetter[];
  return { ...service, letters, fix: () => (refused = null) };
}

const idOf = (i: number) => `jar_${String(i).padStart(3, '0')}`;

/** Replaces a stored document. */
async function corruptDocument(
  cluster: TestCluster,
  id: string,
  change: (document: JarDocument) => JarDocument | null,
): Promise<void> {
  const [row] = await cluster.readModels.load(BUILD, [id]);
  await cluster.readModels.compareAndSet(
    BUILD,
    { ...row!, document: change(row!.document as JarDocument) },
    row!.position,
  );
}

describe('Verifying', () => {
  it('finds no difference in a correct build, and returns the number of compared documents', async () => {
    const { cluster, operator, engine } = await filledJars();
    expect(await operator.verify('jars')).toEqual({
      build: BUILD,
      documents: 39,
      position: await cluster.store.readHead(),
      differences: [],
    });
    await engine.stop();
  });

  it('finds a different, a missing, an additional and a late document', async () => {
    const { cluster, operator, engine } = await filledJars();
    await corruptDocument(cluster, idOf(5), (jar) => ({ ...jar, coins: jar.coins + 1 }));
    await corruptDocument(cluster, idOf(6), () => null);
    const [row] = await cluster.readModels.load(BUILD, [idOf(7)]);
    await cluster.readModels.compareAndSet(BUILD, { ...row!, id: 'jar_900', position: '0000000000000001' }, '');
    await corruptDocument(cluster, 'jar_900', (jar) => ({ ...jar, id: 'jar_900' }));
    await cluster.readModels.compareAndSet(
      BUILD,
      { ...row!, position: cluster.store.log[14]!.position },
      row!.position,
    );
    expect((await operator.verify('jars')).differences).toEqual([
      { id: idOf(5), what: 'differs' },
      { id: idOf(6), what: 'is missing' },
      { id: idOf(7), what: 'is outdated' },
      { id: 'jar_900', what: 'should not be there' },
    ]);
    await engine.stop();
  });

  it('fails for a document whose id differs from its row, and names the row', async () => {
    const { cluster, operator, engine } = await filledJars(1_001);
    await corruptDocument(cluster, idOf(500), (jar) => ({ ...jar, id: 'jar_0' }));
    expect((await operator.verify('jars')).differences).toEqual([{ id: idOf(500), what: 'differs' }]);
    await engine.stop();
  });

  it('finds and repairs a row that would miss later events, with its document or without', async () => {
    const { cluster, operator, engine } = await filledJars();
    const [row] = await cluster.readModels.load(BUILD, [idOf(7)]);
    await cluster.readModels.upsert(BUILD, [{ ...row!, position: FAR }]);
    await cluster.readModels.upsert(BUILD, [{ id: idOf(8), position: FAR, document: null }]);
    expect((await operator.verify('jars')).differences).toEqual([
      { id: idOf(7), what: 'is ahead' },
      { id: idOf(8), what: 'is missing' },
    ]);
    for (const id of [idOf(7), idOf(8)]) {
      const repairing = operator.rebuildKey('jars', id);
      await cluster.clock.advance(5_000);
      expect((await repairing).repaired).toEqual([BUILD]);
    }
    expect((await operator.verify('jars')).differences).toEqual([]);
    await engine.stop();
  });

  it('names the documents that a dead letter blocks, and compares the rest', async () => {
    const { cluster, operator, engine, letters } = await blocked();
    await corruptDocument(cluster, idOf(5), (jar) => ({ ...jar, coins: 0 }));
    const letter = (await letters()).find(({ blocking }) => blocking)!.id;
    expect((await operator.verify('jars')).differences).toEqual([
      { id: idOf(4), what: 'is blocked', deadLetter: letter },
      { id: idOf(5), what: 'differs' },
    ]);
    await engine.stop();
  });

  it('compares about the requested number of documents, from the whole collection', async () => {
    const { cluster, operator, engine } = await filledJars(200);
    await corruptDocument(cluster, idOf(100), (jar) => ({ ...jar, coins: 0 }));
    const { documents, differences } = await operator.verify('jars', { sample: 30 });
    expect(documents).toBe(30);
    expect(differences.length).toBeLessThanOrEqual(1);
    expect((await operator.verify('jars', { sample: 500 })).differences).toEqual([{ id: idOf(100), what: 'differs' }]);
    await engine.stop();
  });

  it('reports no difference for a concurrent write', async () => {
    const { cluster, operator, engine } = await filledJars(60);
    const verifying = operator.verify('jars');
    for (let i = 0; i < 60; i++) {
      await cluster.append(`jar-${idOf(i)}`, i % 5 === 0 ? jarBroken(idOf(i), 'late') : coinsAdded(idOf(i), 'late'));
      if (i % 10 === 0) await cluster.append(`jar-new${i}`, coinsAdded(`new${i}`, 'first'));
    }
    await cluster.clock.advance(1_000);
    expect((await verifying).differences).toEqual([]);
    await engine.stop();
  });
});

describe('Rebuilding a key', () => {
  it('repairs the document in every followed build, and keeps a correct one', async () => {
    const { cluster, operator, engine } = await filledJars();
    const rebuilding = operator.rebuild('jars', { switch: true });
    await cluster.clock.advance(1_000);
    await rebuilding;
    await corruptDocument(cluster, idOf(5), (jar) => ({ ...jar, coins: 0 }));
    const repairing = operator.rebuildKey('jars', idOf(5));
    await cluster.clock.advance(5_000);
    expect(await repairing).toEqual({ repaired: [BUILD] });
    expect((await cluster.readModels.load(BUILD, [idOf(5)]))[0]!.document).toMatchObject({ coins: 6 });
    expect((await operator.rebuildKey('jars', idOf(5))).repaired).toEqual([]);
    await cluster.readModels.upsert(BUILD, [{ id: 'jar_900', position: FAR, document: { id: 'jar_900' } }]);
    const removing = operator.rebuildKey('jars', 'jar_900');
    await cluster.clock.advance(5_000);
    expect(await removing).toEqual({ repaired: [BUILD] });
    await expect(operator.rebuildKey('jars', 'jar_none')).rejects.toThrow(
      'there is no document jar_none: the log has no event of it',
    );
    await engine.stop();
  });

  it('folds the dead letters of the document where possible, and names the error where not', async () => {
    const { cluster, operator, engine, letters, fix } = await blocked();
    await expect(operator.rebuildKey('jars', idOf(4))).rejects.toThrow('not 13');
    fix();
    const rebuilding = operator.rebuildKey('jars', idOf(4));
    await cluster.clock.advance(5_000);
    expect((await rebuilding).repaired).toEqual([BUILD]);
    expect(await letters()).toEqual([]);
    await cluster.append(`jar-${idOf(4)}`, coinsAdded(idOf(4), 'later', 5));
    await cluster.clock.advance(1_000);
    expect((await cluster.readModels.load(BUILD, [idOf(4)]))[0]!.document).toEqual(
      render(jars, idOf(4), cluster.store.log),
    );
    await engine.stop();
  });

  it('leaves the document correct while its events arrive', async () => {
    const { cluster, operator, engine } = await filledJars();
    await corruptDocument(cluster, idOf(5), (jar) => ({ ...jar, coins: 0, events: [] }));
    const repairing = operator.rebuildKey('jars', idOf(5));
    for (let i = 0; i < 30; i++) {
      await cluster.append(`jar-${idOf(5)}`, coinsAdded(idOf(5), `late ${i}`));
      await cluster.clock.advance(20);
    }
    await cluster.clock.advance(5_000);
    expect((await repairing).repaired).toEqual([BUILD]);
    expect((await operator.verify('jars')).differences).toEqual([]);
    await engine.stop();
  });
});

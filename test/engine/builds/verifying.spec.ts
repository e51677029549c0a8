import { DEAD_LETTERS, type DeadLetter } from '../../../src/engine/projections/dead-letters.js';
import { type Projection, render } from '../../../src/kernel/projection.js';
import { coinsAdded, jarBroken, type JarDocument, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#1';
const FAR = '9999999999999999';

async function shelf(count = 40, projection = jars) {
  const house = new TestCluster();
  const service = house.createProcess({ projections: [projection] });
  await service.engine.start();
  for (let i = 0; i < count; i++)
    await house.append(`jar-${idOf(i)}`, coinsAdded(idOf(i), 'a', i), coinsAdded(idOf(i), 'b', 1));
  await house.append(`jar-${idOf(3)}`, jarBroken(idOf(3)));
  await house.clock.advance(500);
  return { house, ...service, operator: house.createProcess({ projections: [projection] }, 'operator').operator };
}

/** One jar with coins that it cannot take before its code is fixed, and with later coins. */
async function blocked() {
  let refused: number | null = 13;
  const fussy: Projection<JarDocument> = {
    ...jars,
    on: {
      ...jars.on,
      CoinsAdded(document, event) {
        if (event.data.coins === refused) throw new Error(`not ${refused}`);
        return jars.on.CoinsAdded!(document, event);
      },
    },
  };
  const service = await shelf(10, fussy);
  await service.house.append(`jar-${idOf(4)}`, coinsAdded(idOf(4), 'c', refused), coinsAdded(idOf(4), 'd', 1));
  await service.house.clock.advance(500);
  const letters = async () => (await service.house.readDocuments(DEAD_LETTERS)) as DeadLetter[];
  return { ...service, letters, mend: () => (refused = null) };
}

const idOf = (i: number) => `jar_${String(i).padStart(3, '0')}`;

/** Replaces a stored document. */
async function planted(
  house: TestCluster,
  id: string,
  change: (document: JarDocument) => JarDocument | null,
): Promise<void> {
  const [row] = await house.readModels.load(BUILD, [id]);
  await house.readModels.compareAndSet(
    BUILD,
    { ...row!, document: change(row!.document as JarDocument) },
    row!.position,
  );
}

describe('Verifying', () => {
  it('finds no difference in a correct build, and returns the number of compared documents', async () => {
    const { house, operator, engine } = await shelf();
    expect(await operator.verify('jars')).toEqual({
      build: BUILD,
      documents: 39,
      position: await house.store.readHead(),
      differences: [],
    });
    await engine.stop();
  });

  it('finds a different, a missing, an additional and a late document', async () => {
    const { house, operator, engine } = await shelf();
    await planted(house, idOf(5), (jar) => ({ ...jar, coins: jar.coins + 1 }));
    await planted(house, idOf(6), () => null);
    const [row] = await house.readModels.load(BUILD, [idOf(7)]);
    await house.readModels.compareAndSet(BUILD, { ...row!, id: 'jar_900', position: '0000000000000001' }, '');
    await planted(house, 'jar_900', (jar) => ({ ...jar, id: 'jar_900' }));
    await house.readModels.compareAndSet(BUILD, { ...row!, position: house.store.log[14]!.position }, row!.position);
    expect((await operator.verify('jars')).differences).toEqual([
      { id: idOf(5), what: 'differs' },
      { id: idOf(6), what: 'is missing' },
      { id: idOf(7), what: 'is behind' },
      { id: 'jar_900', what: 'should not be there' },
    ]);
    await engine.stop();
  });

  it('fails for a document whose id differs from its row, and names the row', async () => {
    const { house, operator, engine } = await shelf(1_001);
    await planted(house, idOf(500), (jar) => ({ ...jar, id: 'jar_0' }));
    expect((await operator.verify('jars')).differences).toEqual([{ id: idOf(500), what: 'differs' }]);
    await engine.stop();
  });

  it('finds and repairs a row that would miss later events, with its document or without', async () => {
    const { house, operator, engine } = await shelf();
    const [row] = await house.readModels.load(BUILD, [idOf(7)]);
    await house.readModels.upsert(BUILD, [{ ...row!, position: FAR }]);
    await house.readModels.upsert(BUILD, [{ id: idOf(8), position: FAR, document: null }]);
    expect((await operator.verify('jars')).differences).toEqual([
      { id: idOf(7), what: 'is ahead' },
      { id: idOf(8), what: 'is missing' },
    ]);
    for (const id of [idOf(7), idOf(8)]) {
      const repairing = operator.rebuildKey('jars', id);
      await house.clock.advance(5_000);
      expect((await repairing).repaired).toEqual([BUILD]);
    }
    expect((await operator.verify('jars')).differences).toEqual([]);
    await engine.stop();
  });

  it('names the documents that a dead letter blocks, and compares the rest', async () => {
    const { house, operator, engine, letters } = await blocked();
    await planted(house, idOf(5), (jar) => ({ ...jar, coins: 0 }));
    const letter = (await letters()).find(({ blocking }) => blocking)!.id;
    expect((await operator.verify('jars')).differences).toEqual([
      { id: idOf(4), what: 'is blocked', deadLetter: letter },
      { id: idOf(5), what: 'differs' },
    ]);
    await engine.stop();
  });

  it('compares about the requested number of documents, from the whole collection', async () => {
    const { house, operator, engine } = await shelf(200);
    await planted(house, idOf(100), (jar) => ({ ...jar, coins: 0 }));
    const { documents, differences } = await operator.verify('jars', { sample: 30 });
    expect(documents).toBe(30);
    expect(differences.length).toBeLessThanOrEqual(1);
    expect((await operator.verify('jars', { sample: 500 })).differences).toEqual([{ id: idOf(100), what: 'differs' }]);
    await engine.stop();
  });

  it('reports no difference for a concurrent write', async () => {
    const { house, operator, engine } = await shelf(60);
    const verifying = operator.verify('jars');
    for (let i = 0; i < 60; i++) {
      await house.append(`jar-${idOf(i)}`, i % 5 === 0 ? jarBroken(idOf(i), 'late') : coinsAdded(idOf(i), 'late'));
      if (i % 10 === 0) await house.append(`jar-new${i}`, coinsAdded(`new${i}`, 'first'));
    }
    await house.clock.advance(1_000);
    expect((await verifying).differences).toEqual([]);
    await engine.stop();
  });
});

describe('Rebuilding a key', () => {
  it('repairs the document in every followed build, and keeps a correct one', async () => {
    const { house, operator, engine } = await shelf();
    const rebuilding = operator.rebuild('jars', { switch: true });
    await house.clock.advance(1_000);
    await rebuilding;
    await planted(house, idOf(5), (jar) => ({ ...jar, coins: 0 }));
    const repairing = operator.rebuildKey('jars', idOf(5));
    await house.clock.advance(5_000);
    expect(await repairing).toEqual({ repaired: [BUILD] });
    expect((await house.readModels.load(BUILD, [idOf(5)]))[0]!.document).toMatchObject({ coins: 6 });
    expect((await operator.rebuildKey('jars', idOf(5))).repaired).toEqual([]);
    await house.readModels.upsert(BUILD, [{ id: 'jar_900', position: FAR, document: { id: 'jar_900' } }]);
    const removing = operator.rebuildKey('jars', 'jar_900');
    await house.clock.advance(5_000);
    expect(await removing).toEqual({ repaired: [BUILD] });
    await expect(operator.rebuildKey('jars', 'jar_none')).rejects.toThrow(
      'there is no document jar_none: the log has no event of it',
    );
    await engine.stop();
  });

  it('folds the dead letters of the document where possible, and names the error where not', async () => {
    const { house, operator, engine, letters, mend } = await blocked();
    await expect(operator.rebuildKey('jars', idOf(4))).rejects.toThrow('not 13');
    mend();
    const rebuilding = operator.rebuildKey('jars', idOf(4));
    await house.clock.advance(5_000);
    expect((await rebuilding).repaired).toEqual([BUILD]);
    expect(await letters()).toEqual([]);
    await house.append(`jar-${idOf(4)}`, coinsAdded(idOf(4), 'later', 5));
    await house.clock.advance(1_000);
    expect((await house.readModels.load(BUILD, [idOf(4)]))[0]!.document).toEqual(
      render(jars, idOf(4), house.store.log),
    );
    await engine.stop();
  });

  it('leaves the document correct while its events arrive', async () => {
    const { house, operator, engine } = await shelf();
    await planted(house, idOf(5), (jar) => ({ ...jar, coins: 0, events: [] }));
    const repairing = operator.rebuildKey('jars', idOf(5));
    for (let i = 0; i < 30; i++) {
      await house.append(`jar-${idOf(5)}`, coinsAdded(idOf(5), `late ${i}`));
      await house.clock.advance(20);
    }
    await house.clock.advance(5_000);
    expect((await repairing).repaired).toEqual([BUILD]);
    expect((await operator.verify('jars')).differences).toEqual([]);
    await engine.stop();
  });
});

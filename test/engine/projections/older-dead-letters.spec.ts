import { failureIdOf, fromStored } from '../../../src/engine/projections/dead-letter.js';
import { DEAD_LETTERS, updateDeadLetter } from '../../../src/engine/projections/dead-letters.js';
import type { Projection } from '../../../src/kernel/projection.js';
import { coinsAdded, type JarDocument, jars } from '../../support/jar.js';
import { createProjector } from '../../support/projector.js';

const BUILD = 'jars@1';

/** A jar with a dead letter for each of its first two events, as the first version of the code stored them. */
async function blocked(projection: Projection<JarDocument> = jars) {
  const all = await createProjector(projection);
  const { cluster, projector, letters } = all;
  await cluster.append('jar-a', coinsAdded('a', '0', 1), coinsAdded('a', '1', 2));
  const rows = cluster.store.log.map((event) => {
    const { stream, revision, position, type } = event;
    const id = failureIdOf({ projection: BUILD, document: 'a' }, event);
    const place = { stream, revision, event: event.id, position, type };
    const status = { error: 'older', blocking: revision === 0, retry: false, created_at: '2026-01-01T00:00:00.000Z' };
    return { id, position, document: { id, projection: BUILD, document: 'a', ...place, ...status } };
  });
  await cluster.readModels.upsert(DEAD_LETTERS, rows);
  await cluster.append('jar-a', coinsAdded('a', '2', 4));
  await projector.handle(cluster.store.log);
  const release = async () => {
    for (const letter of await letters())
      if (letter.blocking) await updateDeadLetter(cluster.readModels, { ...fromStored(letter), retry: true });
    await projector.refresh();
  };
  const summarize = async () =>
    (await letters()).map(fromStored).map(({ revision, blocking, events }) => [revision, blocking, events]);
  return { ...all, release, summarize };
}

describe('Dead letters of single events, which older code stored,', () => {
  it('block the later events, and are folded by a retry', async () => {
    const { jarOf, letters, release, summarize } = await blocked();
    expect(await jarOf('a')).toBeNull();
    expect(await summarize()).toEqual([
      [0, true, 1],
      [1, false, 2],
    ]);

    await release();
    expect(await jarOf('a')).toMatchObject({ coins: 7 });
    expect(await letters()).toEqual([]);
  });

  it('keep the later events when the second one fails', async () => {
    const failing = new Set([1]);
    const on: Projection<JarDocument>['on'] = {
      ...jars.on,
      CoinsAdded(document, event) {
        if (failing.has(event.revision)) throw new Error('broken');
        return jars.on.CoinsAdded!(document, event, 'a');
      },
    };
    const { jarOf, letters, release, summarize } = await blocked({ ...jars, on });
    await release();
    expect(await summarize()).toEqual([[1, true, 2]]);

    failing.clear();
    await release();
    expect(await jarOf('a')).toMatchObject({ coins: 7 });
    expect(await letters()).toEqual([]);
  });
});

describe('A dead letter of a range that could not be read, which older code stored,', () => {
  it('is folded at the next start', async () => {
    const { cluster, letters, jarOf } = await createProjector();
    await cluster.append('jar-a', coinsAdded('a', '0', 1), coinsAdded('a', '1', 2));
    const [first, last] = cluster.store.log;
    const { stream, revision, position, type } = first!;
    const id = `${failureIdOf({ projection: BUILD, document: 'a' }, first!)}:range`;
    const place = { stream, revision, event: first!.id, position, type, to_revision: 1, to_position: last!.position };
    const status = { events: 2, error: 'lost', blocking: true, retry: false, created_at: '2026-01-01T00:00:00.000Z' };
    const document = { id, projection: BUILD, document: 'a', ...place, ...status };
    await cluster.readModels.upsert(DEAD_LETTERS, [{ id, position: last!.position, document }]);

    await (await createProjector(jars, cluster)).projector.refresh();
    expect(await jarOf('a')).toMatchObject({ coins: 3 });
    expect(await letters()).toEqual([]);
  });
});

import { DEAD_LETTERS } from '../../../src/engine/projections/dead-letters.js';
import { Registry } from '../../../src/engine/registry.js';
import type { Position } from '../../../src/kernel/position.js';
import type { Where } from '../../../src/kernel/read-models.js';
import { activateFirstBuild } from '../builds.js';
import { ManualClock } from '../clock.js';
import { type JarDocument, jars } from '../jar.js';
import { MemoryEventStore } from '../memory/event-store.js';
import { MemoryReadModels } from '../memory/read-models.js';
import { findDriftedDocuments, findStrayCheckpoints } from './read-models.js';
import { createLog, type SampleFact } from './sample-log.js';

const JARS = 'jars@1#1';
const added = (jarId: string): SampleFact => [`jar-${jarId}`, { type: 'CoinsAdded', data: { jarId, coins: 2 } }];
const LOG = createLog(added('a'), added('a'), added('b'), ['jar-b', { type: 'JarBroken', data: { jarId: 'b' } }]);
const [first, second] = LOG;
const RIGHT: JarDocument = { id: 'a', coins: 4, events: [first!.id, second!.id], created_at: first!.meta.at };

/** Read models whose count by coins is one too high. */
class Miscounting extends MemoryReadModels {
  override async count(collection: string, where: Where): Promise<number> {
    return (await super.count(collection, where)) + ('coins' in where ? 1 : 0);
  }
}

async function kept(documents: readonly (JarDocument | null)[], readModels = new MemoryReadModels(new ManualClock())) {
  const registry = new Registry();
  registry.add({ projections: [{ ...jars, totals: [['coins']] }] });
  await activateFirstBuild(jars, readModels);
  await readModels.ensureCollection(JARS, jars);
  const { position } = LOG.at(-1)!;
  await readModels.upsert(
    JARS,
    documents.map((document) => ({ id: document?.id ?? 'b', position, document })),
  );
  return {
    registry,
    readModels,
    checkpoints: readModels,
    catalogue: readModels,
    events: new MemoryEventStore(new ManualClock()),
  };
}

describe('The check of I3, documents as folds of the log,', () => {
  it('accepts the fold of the log', async () => {
    expect(await findDriftedDocuments(await kept([RIGHT, null]), LOG)).toEqual([]);
  });

  it.each<[string, (JarDocument | null)[]]>([
    ['a wrong value', [{ ...RIGHT, coins: 5 }]],
    ['an event that was applied twice', [{ ...RIGHT, coins: 6, events: [...RIGHT.events, second!.id] }]],
    ['an event that was skipped', [{ ...RIGHT, coins: 2, events: [first!.id] }]],
    ['a missing document', []],
    ['a document that should be deleted', [RIGHT, { ...RIGHT, id: 'b' }]],
    ['a document without an event', [RIGHT, { ...RIGHT, id: 'c' }]],
  ])('finds %s', async (_, documents) => {
    expect(await findDriftedDocuments(await kept(documents), LOG)).not.toEqual([]);
  });

  it('finds a wrong total', async () => {
    const evidence = await kept([RIGHT], new Miscounting(new ManualClock()));

    expect(await findDriftedDocuments(evidence, LOG)).toHaveLength(1);
  });

  it('finds a dead letter', async () => {
    const evidence = await kept([RIGHT]);
    await evidence.readModels.ensureCollection(DEAD_LETTERS, { indexes: [] });
    await evidence.readModels.upsert(DEAD_LETTERS, [{ id: 'letter', position: '0001', document: { id: 'letter' } }]);

    expect(await findDriftedDocuments(evidence, LOG)).toEqual(['1 dead letters']);
  });
});

describe('The check of I5, checkpoints,', () => {
  const checkedAt = async (checkpoint: Position, before: Position) => {
    const evidence = await kept([]);
    await evidence.events.append('jar-a', 'none', [first!]);
    await evidence.readModels.advanceCheckpoints({ [JARS]: checkpoint });
    return findStrayCheckpoints(evidence, new Map([[JARS, before]]));
  };

  it('finds a checkpoint that is ahead of the log or moved back', async () => {
    expect(await checkedAt('0000000000000001', '')).toEqual([]);
    expect(await checkedAt('0000000000000002', '')).toHaveLength(1);
    expect(await checkedAt('', '0000000000000001')).toHaveLength(1);
  });
});

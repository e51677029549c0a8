import { readEnd } from '../../../src/engine/consumers/checkpoints-ahead.js';
import { DEAD_LETTERS } from '../../../src/engine/projections/dead-letters.js';
import { listReactorCheckpoints } from '../../../src/engine/reactors/parts.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { type Position, START } from '../../../src/kernel/position.js';
import { apply, type Projection, toDocumentIds } from '../../../src/kernel/projection.js';
import type { ReadModels, Scalar, Where } from '../../../src/kernel/read-models.js';
import { findActiveBuild } from '../builds.js';
import type { StoreInspector } from '../store-inspector.js';

const PAGE_SIZE = 500;

type InspectedStores = Pick<StoreInspector, 'registry' | 'events' | 'readModels' | 'checkpoints' | 'catalogue'>;

/**
 * I3: finds documents and totals that differ from the fold of the log, as canonical JSON. Call it when every projection
 * has caught up and no process runs.
 */
export async function findDriftedDocuments(
  { registry, readModels, catalogue }: InspectedStores,
  log: readonly RecordedEvent[],
): Promise<string[]> {
  const breaches = [];
  for (const projection of registry.projections) {
    const folded = foldAll(projection, log);
    breaches.push(
      ...(await findDifferences(await findActiveBuild(projection, catalogue), folded, readModels)),
      ...(await findWrongTotals(projection, await findActiveBuild(projection, catalogue), folded, readModels)),
    );
  }
  const deadLetters = await readModels.count(DEAD_LETTERS, {});
  return deadLetters === 0 ? breaches : [...breaches, `${deadLetters} dead letters`];
}

/** Returns the documents of a projection by id; null for a deleted one. */
export function foldAll(projection: Projection<object>, log: readonly RecordedEvent[]): Map<string, object | null> {
  const documents = new Map<string, object | null>();
  for (const event of log) {
    for (const id of toDocumentIds(projection, event)) {
      const document = apply(projection, documents.get(id) ?? null, event, id);
      documents.set(id, document);
      const copyId = document && projection.copyId?.(document);
      if (copyId) documents.set(copyId, { ...document, id: copyId });
    }
  }
  return documents;
}

async function findDifferences(
  collection: string,
  folded: Map<string, object | null>,
  readModels: ReadModels,
): Promise<string[]> {
  const ids = [...folded.keys()];
  const kept = new Map<string, object | null>();
  for (let i = 0; i < ids.length; i += PAGE_SIZE) {
    for (const { id, document } of await readModels.load(collection, ids.slice(i, i + PAGE_SIZE)))
      kept.set(id, document);
  }
  return ids.flatMap((id) => {
    const [is, shouldBe] = [toCanonicalJson(kept.get(id) ?? null), toCanonicalJson(folded.get(id) ?? null)];
    return is === shouldBe ? [] : [`${collection} ${id} is ${is} but should be ${shouldBe}`];
  });
}

/** Compares totals, and the total of the whole collection, which reveals documents without an event. */
async function findWrongTotals(
  projection: Projection<object>,
  collection: string,
  folded: Map<string, object | null>,
  readModels: ReadModels,
): Promise<string[]> {
  const documents = [...folded.values()].filter((document) => document !== null);
  const breaches = [];
  for (const paths of [[], ...(projection.totals ?? [])]) {
    const groups = Map.groupBy(documents, (document) => JSON.stringify(paths.map((path) => getValue(document, path))));
    for (const [values, members] of groups) {
      const total = await readModels.count(collection, toWhere(paths, JSON.parse(values) as Scalar[]));
      if (total !== members.length)
        breaches.push(`${collection} counts ${total} of ${values} but holds ${members.length}`);
    }
  }
  return breaches;
}

/** I5: finds checkpoints that are ahead of the log or lower than before. */
export async function findStrayCheckpoints(
  held: InspectedStores,
  before: ReadonlyMap<string, Position>,
): Promise<string[]> {
  const checkpoints = await readCheckpoints(held);
  // The store's own events come after the head, and move a checkpoint too.
  const end = await readEnd(held.events);
  return [...checkpoints].flatMap(([name, position]) => [
    ...(position > end ? [`the checkpoint of ${name} is ahead of the log`] : []),
    ...(position < (before.get(name) ?? START) ? [`the checkpoint of ${name} has moved back`] : []),
  ]);
}

/** Finds checkpoints that have not reached the head of the log. */
export async function findLaggingCheckpoints(held: InspectedStores): Promise<string[]> {
  const head = await held.events.readHead();
  return [...(await readCheckpoints(held))].flatMap(([name, position]) =>
    position >= head ? [] : [`${name} has not caught up`],
  );
}

export async function readCheckpoints({
  registry,
  checkpoints,
  catalogue,
}: InspectedStores): Promise<Map<string, Position>> {
  const builds = await Promise.all(registry.projections.map((projection) => findActiveBuild(projection, catalogue)));
  const names = [...builds, ...listReactorCheckpoints(registry)];
  return new Map(await Promise.all(names.map(async (name) => [name, await checkpoints.readCheckpoint(name)] as const)));
}

function toWhere(paths: readonly string[], values: readonly Scalar[]): Where {
  return Object.fromEntries(paths.map((path, i) => [path, values[i]!]));
}

function getValue(document: object, path: string): unknown {
  return (
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], document) ?? null
  );
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

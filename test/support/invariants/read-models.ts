import { DEAD_LETTERS } from '../../../src/engine/projecting/dead-letters.js';
import { endOf } from '../../../src/engine/following/ahead.js';
import { reactorCheckpoints } from '../../../src/engine/reacting/parts.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { START, type Position } from '../../../src/kernel/position.js';
import { apply, idsOf, type Projection } from '../../../src/kernel/projection.js';
import type { ReadModels, Scalar, Where } from '../../../src/kernel/read-models.js';
import { servedBuildOf } from '../builds.js';
import type { Evidence } from '../evidence.js';

const AT_ONCE = 500;

type Held = Pick<Evidence, 'registry' | 'events' | 'readModels'>;

/**
 * I3: finds documents and totals that differ from the fold of the log, as canonical JSON. Call it when every projection
 * has caught up and no process runs.
 */
export async function driftedDocuments({ registry, readModels }: Held, log: readonly Recorded[]): Promise<string[]> {
  const breaches = [];
  for (const projection of registry.projections) {
    const folded = foldedBy(projection, log);
    breaches.push(...(await differences(projection, folded, readModels)), ...(await wrongTotals(projection, folded, readModels)));
  }
  const letters = await readModels.count(DEAD_LETTERS, {});
  return letters === 0 ? breaches : [...breaches, `${letters} dead letters`];
}

function foldedBy(projection: Projection<object>, log: readonly Recorded[]): Map<string, object | null> {
  const documents = new Map<string, object | null>();
  for (const event of log) {
    for (const id of idsOf(projection, event)) documents.set(id, apply(projection, documents.get(id) ?? null, event));
  }
  return documents;
}

async function differences(projection: Projection<object>, folded: Map<string, object | null>, readModels: ReadModels): Promise<string[]> {
  const collection = await servedBuildOf(projection, readModels);
  const ids = [...folded.keys()];
  const kept = new Map<string, object | null>();
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    for (const { id, document } of await readModels.load(collection, ids.slice(i, i + AT_ONCE))) kept.set(id, document);
  }
  return ids.flatMap((id) => {
    const [is, shouldBe] = [canonical(kept.get(id) ?? null), canonical(folded.get(id) ?? null)];
    return is === shouldBe ? [] : [`${collection} ${id} is ${is} but should be ${shouldBe}`];
  });
}

/** Compares totals, and the total of the whole collection, which reveals documents without an event. */
async function wrongTotals(projection: Projection<object>, folded: Map<string, object | null>, readModels: ReadModels): Promise<string[]> {
  const collection = await servedBuildOf(projection, readModels);
  const documents = [...folded.values()].filter((document) => document !== null);
  const breaches = [];
  for (const paths of [[], ...(projection.totals ?? [])]) {
    const groups = Map.groupBy(documents, (document) => JSON.stringify(paths.map((path) => valueAt(document, path))));
    for (const [values, members] of groups) {
      const total = await readModels.count(collection, where(paths, JSON.parse(values) as Scalar[]));
      if (total !== members.length) breaches.push(`${collection} counts ${total} of ${values} but holds ${members.length}`);
    }
  }
  return breaches;
}

/** I5: finds checkpoints that are ahead of the log or lower than before. */
export async function strayCheckpoints(held: Held, before: ReadonlyMap<string, Position>): Promise<string[]> {
  const checkpoints = await checkpointsOf(held);
  // The store's own events come after the head, and move a checkpoint too.
  const end = await endOf(held.events);
  return [...checkpoints].flatMap(([name, position]) => [
    ...(position > end ? [`the checkpoint of ${name} is ahead of the log`] : []),
    ...(position < (before.get(name) ?? START) ? [`the checkpoint of ${name} has moved back`] : []),
  ]);
}

/** Finds checkpoints that have not reached the head of the log. */
export async function behind(held: Held): Promise<string[]> {
  const head = await held.events.head();
  return [...(await checkpointsOf(held))].flatMap(([name, position]) => (position >= head ? [] : [`${name} has not caught up`]));
}

export async function checkpointsOf({ registry, readModels }: Held): Promise<Map<string, Position>> {
  const builds = await Promise.all(registry.projections.map((projection) => servedBuildOf(projection, readModels)));
  const names = [...builds, ...reactorCheckpoints(registry)];
  return new Map(await Promise.all(names.map(async (name) => [name, await readModels.checkpoint(name)] as const)));
}

function where(paths: readonly string[], values: readonly Scalar[]): Where {
  return Object.fromEntries(paths.map((path, i) => [path, values[i]!]));
}

function valueAt(document: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], document) ?? null;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

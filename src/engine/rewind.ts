import type { BuildCatalogue } from '../kernel/build-catalogue.js';
import { type Clock, toIso } from '../kernel/clock.js';
import type { EventStore } from '../kernel/event-store.js';
import { type Position, START } from '../kernel/position.js';
import { collectionOf, type Versioned } from '../kernel/projection.js';
import { readMeta } from '../kernel/unreadable-event.js';
import { changeEntry, dropAll, type Entry, readEntries, start } from './builds/catalogue.js';
import { listLogCheckpoints, type RestoredStores } from './consumers/checkpoints-ahead.js';
import { clearRefusals } from './consumers/refused-logs.js';
import { isReactorCheckpoint } from './reactors/parts.js';
import { readPages } from './read-pages.js';
import { StoreIdentity } from './store-identity.js';

const PAGE = 500;

interface Stores extends RestoredStores {
  readonly catalogue: BuildCatalogue;
  readonly clock: Clock;
}

interface RewindTargets {
  readonly projections: readonly Versioned[];
  /** Names of the reactors' checkpoints. */
  readonly reactors: readonly string[];
}

export interface RewindResult {
  readonly head: Position;
  /** Position from which each reactor reacts again. */
  readonly reactors: Position;
  /** Projections that the next start builds. */
  readonly building: readonly string[];
}

/**
 * Makes documents, checkpoints and tokens fit a log that was restored to an earlier time. Deletes the builds that
 * contain lost events. An interrupted run is completed by the same command.
 * @param since reactors process the events since this time again: no command runs twice, and lost jobs are created
 * again
 */
export async function rewind(
  { events, models, checkpoints, catalogue, clock }: Stores,
  { projections, reactors }: RewindTargets,
  since?: string,
): Promise<RewindResult> {
  const currentNames = new Set(projections.map((projection) => collectionOf(projection)));
  const at = toIso(clock.now());
  for (const [name, { builds }] of await readEntries(catalogue)) {
    if (builds.length > 0) await changeEntry(catalogue, name, (entry) => resetEntry(entry, currentNames.has(name), at));
  }
  const head = await events.readHead();
  const reactorPosition = since === undefined ? head : await findPositionBefore(since, events);
  const all = new Set([...reactors, ...(await checkpoints.listCheckpointNames()).filter(isReactorCheckpoint)]);
  await checkpoints.rewindCheckpoints([...all], reactorPosition);
  // The new identity comes last: until then a start is refused, and the same command continues.
  await new StoreIdentity(models).renew();
  await checkpoints.rewindCheckpoints(await listLogCheckpoints(checkpoints), head);
  await clearRefusals(models);
  return { head, reactors: reactorPosition, building: [...currentNames].sort() };
}

function resetEntry(entry: Entry, isCurrent: boolean, at: string): Entry {
  const dropped = dropAll(entry);
  return isCurrent ? start(dropped, at) : dropped;
}

/** Returns the position before the first event of that time. */
async function findPositionBefore(since: string, events: EventStore): Promise<Position> {
  for await (const page of readPages(events, { backwards: true, limit: PAGE })) {
    const earlier = page.events.find((event) => (readMeta(event)?.at ?? since) < since);
    if (earlier !== undefined) return earlier.position;
  }
  return START;
}

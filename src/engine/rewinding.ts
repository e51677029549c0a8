import { iso, type Clock } from '../kernel/clock.js';
import type { EventStore } from '../kernel/event-store.js';
import { START, type Position } from '../kernel/position.js';
import { collectionOf, type Versioned } from '../kernel/projection.js';
import type { ReadModels } from '../kernel/read-models.js';
import { begun, droppedWhole, type Entry } from './builds/catalogue.js';
import { changeEntry, readEntries } from './builds/entries.js';
import { placesInLog } from './following/ahead.js';
import { forgetRefusals } from './following/refused-logs.js';
import { isReactorCheckpoint } from './reacting/parts.js';
import { StoreIdentity } from './store-identity.js';

const PAGE = 500;

interface Stores {
  readonly events: EventStore;
  readonly models: ReadModels;
  readonly clock: Clock;
}

interface Followers {
  readonly projections: readonly Versioned[];
  /** Names of the reactors' checkpoints. */
  readonly reactors: readonly string[];
}

export interface Rewound {
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
export async function rewind({ events, models, clock }: Stores, { projections, reactors }: Followers, since?: string): Promise<Rewound> {
  const current = new Set(projections.map((projection) => collectionOf(projection)));
  const at = iso(clock.now());
  for (const [name, { builds }] of await readEntries(models)) {
    if (builds.length > 0) await changeEntry(models, name, (entry) => anew(entry, current.has(name), at));
  }
  const head = await events.head();
  const reacted = since === undefined ? head : await before(since, events);
  const all = new Set([...reactors, ...(await models.checkpointNames()).filter(isReactorCheckpoint)]);
  await models.rewind([...all], reacted);
  // The new identity comes last: until then a start is refused, and the same command continues.
  await new StoreIdentity(models).renew();
  await models.rewind(await placesInLog(models), head);
  await forgetRefusals(models);
  return { head, reactors: reacted, building: [...current].sort() };
}

function anew(entry: Entry, isCurrent: boolean, at: string): Entry {
  const dropped = droppedWhole(entry);
  return isCurrent ? begun(dropped, at) : dropped;
}

/** Returns the position before the first event of that time. */
async function before(since: string, events: EventStore): Promise<Position> {
  for (let from: Position | undefined; ;) {
    const page = await events.readAll({ before: from, backwards: true, limit: PAGE });
    const earlier = page.events.find(({ meta }) => meta.at < since);
    if (earlier !== undefined) return earlier.position;
    if (page.caughtUp) return START;
    from = page.next;
  }
}

import { type Clock, toIso } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { pickEarlier, type Position, START } from '../../kernel/position.js';
import type { CollectionSchema, ReadModels, Row } from '../../kernel/read-models.js';
import { forEachConcurrently } from '../semaphore.js';
import type { PoisonEvent } from './apply-event.js';
import {
  blockKeyOf,
  type DeadLetter,
  fromStored,
  isReleased,
  sortByPosition,
  type StoredDeadLetter,
} from './dead-letter.js';
import { SetAsideEvents } from './set-aside-events.js';

export const DEAD_LETTERS = 'dead_letters';

export const deadLettersSchema: CollectionSchema = {
  indexes: [['created_at'], ['projection', 'created_at'], ['event', 'created_at']],
  totals: [['projection']],
};

const PAGE = 500;
/** Number of dead letters that are removed concurrently: stores write them together. */
const CONCURRENCY = 50;

/** The blocked documents of one build. Their later events are set aside too, until an operator retries or skips. */
export class DeadLetters {
  /** Blocked documents and streams, with the position from which they are blocked. */
  private blockedFrom = new Map<string, Position>();
  private setAside: SetAsideEvents;
  /** Whether dead letters existed at the last read or write. */
  private hasDeadLetters = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly projection: string,
  ) {
    this.setAside = new SetAsideEvents(projection, []);
  }

  get isEmpty(): boolean {
    return !this.hasDeadLetters && this.setAside.unsaved.length === 0;
  }

  prepare(): Promise<void> {
    return this.readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  }

  /**
   * Loads all dead letters, grouped by what they block, each group in log order. From now on the groups that no
   * operator has released block.
   */
  async load(): Promise<Map<string, DeadLetter[]>> {
    const loaded = await loadDeadLetters(this.readModels, this.projection);
    this.setAside = new SetAsideEvents(this.projection, loaded);
    const groups = Map.groupBy(sortByPosition(loaded), blockKeyOf);
    const blocking = [...groups].filter(([, letters]) => !isReleased(letters));
    this.hasDeadLetters = groups.size > 0;
    this.blockedFrom = new Map(blocking.map(([block, deadLetters]) => [block, deadLetters[0]!.position]));
    return groups;
  }

  /** Returns whether the event must be set aside; `document` null asks for the event's stream. */
  blocks(document: string | null, { stream, position }: Pick<RecordedEvent, 'stream' | 'position'>): boolean {
    if (this.blockedFrom.size === 0) return false;
    const since = this.blockedFrom.get(blockKeyOf({ document, stream }));
    return since !== undefined && position >= since;
  }

  /** Sets the event aside; an event with `poison` blocks its document. */
  add(document: string | null, event: RecordedEvent, poison?: PoisonEvent): void {
    const { stream, position } = event;
    const block = blockKeyOf({ document, stream });
    this.blockedFrom.set(block, pickEarlier(this.blockedFrom.get(block) ?? position, position));
    this.setAside.add(document, event, toIso(this.clock.now()), poison);
  }

  /** Saves failed events before the ranges that wait for them: a range alone counts as released. */
  async save(): Promise<void> {
    const { unsaved } = this.setAside;
    if (unsaved.length === 0) return;
    for (const blocking of [true, false]) {
      const rows = unsaved.filter((deadLetter) => deadLetter.blocking === blocking).map(toRow);
      if (rows.length > 0) await this.readModels.upsert(DEAD_LETTERS, rows);
    }
    this.setAside.clearUnsaved();
    this.hasDeadLetters = true;
  }

  /** Removes the dead letters up to this position: their events are folded. */
  async removeUpTo(position: Position): Promise<void> {
    if (!this.hasDeadLetters) return;
    const deadLetters = [...(await this.load()).values()].flat();
    const done = deadLetters.filter(({ to_position }) => to_position <= position);
    await removeDeadLetters(this.readModels, done);
    if (done.length > 0) await this.load();
  }
}

/** Loads the dead letters of a build, in no particular order. */
async function loadDeadLetters(readModels: ReadModels, build: string): Promise<DeadLetter[]> {
  const all: DeadLetter[] = [];
  for (let more = true; more;) {
    const last = all.at(-1);
    const found = await readModels.find<StoredDeadLetter>(DEAD_LETTERS, {
      where: { projection: build },
      orderBy: 'created_at',
      after: last && { value: last.created_at, id: last.id },
      limit: PAGE,
    });
    all.push(...found.map(fromStored));
    more = found.length === PAGE;
  }
  return all;
}

/** Updates a stored dead letter; does nothing when it has been removed or extended. */
export async function updateDeadLetter(readModels: ReadModels, deadLetter: DeadLetter): Promise<void> {
  await storeFailure(readModels, deadLetter, deadLetter);
}

/**
 * Stores the dead letter of an event that failed; does nothing when the dead letter from which the event was read has
 * been removed: another process has folded the event.
 */
export async function storeFailure(readModels: ReadModels, failed: DeadLetter, source: DeadLetter): Promise<void> {
  const rows = await readModels.load(DEAD_LETTERS, [...new Set([source.id, failed.id])]);
  const kept = new Map(rows.map((row) => [row.id, row]));
  if (!kept.get(source.id)?.document) return;
  const isUpdate = failed.id === source.id;
  const expected = isUpdate ? failed.to_position : (kept.get(failed.id)?.position ?? START);
  await readModels.compareAndSet(DEAD_LETTERS, toRow(failed), expected);
}

/** Removes dead letters and leaves tombstones, so that a repeated page does not set the events aside again. */
export async function removeDeadLetters(readModels: ReadModels, deadLetters: readonly DeadLetter[]): Promise<void> {
  await forEachConcurrently(CONCURRENCY, deadLetters, async ({ id, to_position: position }) => {
    await readModels.compareAndSet(DEAD_LETTERS, { id, position, document: null }, position);
  });
}

export async function removeBuildDeadLetters(readModels: ReadModels, build: string): Promise<void> {
  await readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  await removeDeadLetters(readModels, await loadDeadLetters(readModels, build));
}

/** The position of the row grows with the range, so a late save of a shorter range changes nothing. */
function toRow(deadLetter: DeadLetter): Row<DeadLetter> {
  return { id: deadLetter.id, position: deadLetter.to_position, document: deadLetter };
}

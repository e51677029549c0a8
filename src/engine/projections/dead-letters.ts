import { type Clock, toIso } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import type { CollectionSchema, ReadModels, Row } from '../../kernel/read-models.js';
import { forEachConcurrently } from '../semaphore.js';
import type { PoisonEvent } from './apply-event.js';
import {
  blockKeyOf,
  createFailure,
  type DeadLetter,
  extend,
  fromStored,
  isReleased,
  mergeCategories,
  sortByPosition,
  type StoredDeadLetter,
  toWaiting,
} from './dead-letter.js';

export const DEAD_LETTERS = 'dead_letters';

export const deadLettersSchema: CollectionSchema = {
  indexes: [['created_at'], ['projection', 'created_at'], ['event', 'created_at']],
  totals: [['projection']],
};

const PAGE = 500;
/** Number of dead letters that are written concurrently: stores write them together. */
const CONCURRENCY = 50;

/** The blocked documents of one build. Their later events are set aside too, until an operator retries or skips. */
export class DeadLetters {
  /** The dead letters of each blocked document and stream, in log order. */
  private readonly blocked = new Map<string, DeadLetter[]>();
  private readonly unsaved = new Map<string, DeadLetter>();
  /** Whether dead letters existed at the last read or write. */
  private hasDeadLetters = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly projection: string,
  ) {}

  get isEmpty(): boolean {
    return !this.hasDeadLetters && this.unsaved.size === 0;
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
    const groups = Map.groupBy(sortByPosition(loaded), blockKeyOf);
    this.unsaved.clear();
    this.blocked.clear();
    for (const [block, deadLetters] of groups) if (!isReleased(deadLetters)) this.blocked.set(block, [...deadLetters]);
    this.hasDeadLetters = groups.size > 0;
    return groups;
  }

  /** Returns whether the event must be set aside; `document` null asks for the event's stream. */
  blocks(document: string | null, { stream, position }: Pick<RecordedEvent, 'stream' | 'position'>): boolean {
    if (this.blocked.size === 0) return false;
    const first = this.blocked.get(blockKeyOf({ document, stream }))?.[0];
    return first !== undefined && position >= first.position;
  }

  /** Sets the event aside; an event with `poison` blocks its document. */
  add(document: string | null, event: RecordedEvent, poison?: PoisonEvent): void {
    const { stream, position } = event;
    const block = blockKeyOf({ document, stream });
    const others = this.blocked.get(block) ?? [];
    const last = others.findLast((deadLetter) => deadLetter.position <= position);
    const isFailure = poison !== undefined && last?.position !== position;
    if (!isFailure && position <= last!.to_position) return;
    const added = isFailure
      ? createFailure({ projection: this.projection, document }, event, poison.cause, toIso(this.clock.now()))
      : extend(last!, event);
    this.unsaved.set(added.id, added);
    this.blocked.set(block, sortByPosition([...others.filter(({ id }) => id !== added.id), added]));
  }

  async save(): Promise<void> {
    if (this.unsaved.size === 0) return;
    await forEachConcurrently(CONCURRENCY, [...this.unsaved.values()], (one) => saveDeadLetter(this.readModels, one));
    this.unsaved.clear();
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

/**
 * Stores a dead letter, unless it is stored with the same or later events. When another process has removed it, its
 * event is folded, and only the events after that one wait.
 */
async function saveDeadLetter(readModels: ReadModels, deadLetter: DeadLetter): Promise<void> {
  for (;;) {
    const [row] = await readModels.load(DEAD_LETTERS, [deadLetter.id]);
    const { position, document } = (row ?? { position: START, document: deadLetter }) as Row<StoredDeadLetter>;
    const { to_position, events } = deadLetter;
    if (position >= to_position) return;
    const stored = document === null ? toWaiting(deadLetter) : fromStored(document);
    const extended = { ...stored, to_position, events, categories: mergeCategories([stored, deadLetter]) };
    if (await readModels.compareAndSet(DEAD_LETTERS, toRow(extended), position)) return;
  }
}

/** Updates a stored dead letter; does nothing when it has been removed or extended. */
export async function updateDeadLetter(readModels: ReadModels, deadLetter: DeadLetter): Promise<void> {
  await storeFailure(readModels, deadLetter, deadLetter);
}

/**
 * Stores the dead letter of an event that failed; does nothing when the dead letter for which the event was read has
 * been removed: another process has folded the event.
 */
export async function storeFailure(readModels: ReadModels, failed: DeadLetter, source: DeadLetter): Promise<void> {
  const rows = await readModels.load(DEAD_LETTERS, [...new Set([source.id, failed.id])]);
  const kept = new Map(rows.map((row) => [row.id, row]));
  if (!kept.get(source.id)?.document) return;
  const isUpdate = failed.id === source.id;
  const expected = isUpdate ? source.to_position : (kept.get(failed.id)?.position ?? START);
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

/** The position of the row grows with the waiting events, so a late save with fewer of them changes nothing. */
function toRow(deadLetter: DeadLetter): Row<DeadLetter> {
  return { id: deadLetter.id, position: deadLetter.to_position, document: deadLetter };
}

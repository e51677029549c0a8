import { type Clock, toIso } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { pickEarlier, type Position } from '../../kernel/position.js';
import type { CollectionSchema, ReadModels, Row } from '../../kernel/read-models.js';
import { describeError } from '../retrier.js';
import { forEachConcurrently } from '../semaphore.js';
import type { PoisonEvent } from './apply-event.js';

export const DEAD_LETTERS = 'dead_letters';

export const deadLettersSchema: CollectionSchema = {
  indexes: [['created_at'], ['projection', 'created_at'], ['event', 'created_at']],
  totals: [['projection']],
};

const PAGE = 500;
/** Number of dead letters that are removed concurrently: stores write them together. */
const CONCURRENCY = 50;

/**
 * An event that could not be folded into a document, or that follows such an event. It holds the place of the event in
 * the log, not its data.
 */
export interface DeadLetter {
  readonly id: string;
  /** The build, for example `products@1#2`. */
  readonly projection: string;
  /** Null when the document could not be determined: then the whole stream is blocked. */
  readonly document: string | null;
  readonly stream: string;
  readonly revision: number;
  readonly event: string;
  readonly position: Position;
  readonly type: string;
  readonly error: string;
  /** Whether this event failed itself and blocks the document. */
  readonly blocking: boolean;
  /** Whether an operator has requested a retry. */
  readonly retry: boolean;
  readonly created_at: string;
}

/** The blocked documents of one build. Their later events are set aside too, until an operator retries or skips. */
export class DeadLetters {
  /** Blocked documents and streams, with the position from which they are blocked. */
  private blockedFrom = new Map<string, Position>();
  private unsaved: DeadLetter[] = [];
  /** Whether dead letters existed at the last read or write. */
  private hasDeadLetters = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly projection: string,
  ) {}

  get isEmpty(): boolean {
    return !this.hasDeadLetters && this.unsaved.length === 0;
  }

  prepare(): Promise<void> {
    return this.readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  }

  /**
   * Loads all dead letters, grouped by what they block, each group in log order. From now on the groups that no
   * operator has released block.
   */
  async load(): Promise<Map<string, DeadLetter[]>> {
    this.unsaved = [];
    const groups = Map.groupBy(await loadDeadLetters(this.readModels, this.projection), blockKeyOf);
    for (const deadLetters of groups.values()) deadLetters.sort((a, b) => (a.position < b.position ? -1 : 1));
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
    this.unsaved.push(this.createDeadLetter(document, event, poison));
  }

  async save(): Promise<void> {
    if (this.unsaved.length === 0) return;
    await this.readModels.upsert(DEAD_LETTERS, this.unsaved.map(toRow));
    this.unsaved = [];
    this.hasDeadLetters = true;
  }

  /** Removes the dead letters up to this position: their events are folded. */
  async removeUpTo(position: Position): Promise<void> {
    if (!this.hasDeadLetters) return;
    const deadLetters = [...(await this.load()).values()].flat();
    const done = deadLetters.filter((deadLetter) => deadLetter.position <= position);
    await removeDeadLetters(this.readModels, done);
    if (done.length > 0) await this.load();
  }

  private createDeadLetter(
    document: string | null,
    { stream, revision, id, position, type }: RecordedEvent,
    poison?: PoisonEvent,
  ): DeadLetter {
    return {
      id: `${this.projection}:${blockKeyOf({ document, stream })}:${position}`,
      projection: this.projection,
      document,
      stream,
      revision,
      event: id,
      position,
      type,
      error: poison === undefined ? 'follows an event that failed' : describeError(poison.cause),
      blocking: poison !== undefined,
      retry: false,
      created_at: toIso(this.clock.now()),
    };
  }
}

/** Loads the dead letters of a build, in no particular order. */
async function loadDeadLetters(readModels: ReadModels, build: string): Promise<DeadLetter[]> {
  const all: DeadLetter[] = [];
  for (let more = true; more;) {
    const last = all.at(-1);
    const found = await readModels.find<DeadLetter>(DEAD_LETTERS, {
      where: { projection: build },
      orderBy: 'created_at',
      after: last && { value: last.created_at, id: last.id },
      limit: PAGE,
    });
    all.push(...found);
    more = found.length === PAGE;
  }
  return all;
}

/** Updates a stored dead letter; does nothing when it has been removed. */
export async function updateDeadLetter(readModels: ReadModels, deadLetter: DeadLetter): Promise<void> {
  const [kept] = await readModels.load(DEAD_LETTERS, [deadLetter.id]);
  if (kept?.document) await readModels.compareAndSet(DEAD_LETTERS, toRow(deadLetter), deadLetter.position);
}

/** Removes dead letters and leaves tombstones, so that a repeated page does not set the events aside again. */
export async function removeDeadLetters(readModels: ReadModels, deadLetters: readonly DeadLetter[]): Promise<void> {
  await forEachConcurrently(CONCURRENCY, deadLetters, async ({ id, position }) => {
    await readModels.compareAndSet(DEAD_LETTERS, { id, position, document: null }, position);
  });
}

/** Removes all dead letters of a build that is dropped. */
export async function removeBuildDeadLetters(readModels: ReadModels, build: string): Promise<void> {
  await readModels.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  await removeDeadLetters(readModels, await loadDeadLetters(readModels, build));
}

/**
 * Returns whether a group is released. A dead letter that was stored after its blocking dead letter was removed counts
 * as released.
 */
export function isReleased(deadLetters: readonly DeadLetter[]): boolean {
  return deadLetters.every(({ blocking, retry }) => !blocking || retry);
}

/** Returns the key of the blocked document or stream. */
export function blockKeyOf({ document, stream }: Pick<DeadLetter, 'document' | 'stream'>): string {
  return document ?? `stream ${stream}`;
}

function toRow(deadLetter: DeadLetter): Row<DeadLetter> {
  return { id: deadLetter.id, position: deadLetter.position, document: deadLetter };
}

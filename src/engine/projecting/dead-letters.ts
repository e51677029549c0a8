import { iso, type Clock } from '../../kernel/clock.js';
import type { Recorded } from '../../kernel/event.js';
import { earlier, type Position } from '../../kernel/position.js';
import type { ReadModels, Row, Shape } from '../../kernel/read-models.js';
import { messageOf } from '../patience.js';
import { eachAtMost } from '../reacting/pool.js';
import type { Poison } from './folding.js';

export const DEAD_LETTERS = 'dead_letters';

export const deadLettersShape: Shape = {
  indexes: [['created_at'], ['projection', 'created_at'], ['event', 'created_at']],
  totals: [['projection']],
};

const PAGE = 500;
/** Number of dead letters that are removed concurrently: stores write them together. */
const AT_ONCE = 50;

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
  readonly first: boolean;
  /** Whether an operator has requested a retry. */
  readonly retry: boolean;
  readonly created_at: string;
}

/** The blocked documents of one build. Their later events are set aside too, until an operator retries or skips. */
export class DeadLetters {
  /** Blocked documents and streams, with the position from which they are blocked. */
  private blocked = new Map<string, Position>();
  private unsaved: DeadLetter[] = [];
  /** Whether dead letters existed at the last read or write. */
  private hasLetters = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly projection: string,
  ) {}

  prepare(): Promise<void> {
    return this.readModels.prepare(DEAD_LETTERS, deadLettersShape);
  }

  /**
   * Loads all dead letters, grouped by what they block, each group in log order. From now on the groups that no
   * operator has released block.
   */
  async load(): Promise<Map<string, DeadLetter[]>> {
    this.unsaved = [];
    const groups = Map.groupBy(await lettersOf(this.readModels, this.projection), blockOf);
    for (const letters of groups.values()) letters.sort((a, b) => (a.position < b.position ? -1 : 1));
    const blocking = [...groups].filter(([, letters]) => !isReleased(letters));
    this.hasLetters = groups.size > 0;
    this.blocked = new Map(blocking.map(([block, letters]) => [block, letters[0]!.position]));
    return groups;
  }

  /** Returns whether the event must be set aside; `document` null asks for the event's stream. */
  blocks(document: string | null, { stream, position }: Pick<Recorded, 'stream' | 'position'>): boolean {
    if (this.blocked.size === 0) return false;
    const since = this.blocked.get(blockOf({ document, stream }));
    return since !== undefined && position >= since;
  }

  /** Sets the event aside; an event with `poison` blocks its document. */
  add(document: string | null, event: Recorded, poison?: Poison): void {
    const { stream, position } = event;
    const block = blockOf({ document, stream });
    this.blocked.set(block, earlier(this.blocked.get(block) ?? position, position));
    this.unsaved.push(this.letterOf(document, event, poison));
  }

  async save(): Promise<void> {
    if (this.unsaved.length === 0) return;
    await this.readModels.save(DEAD_LETTERS, this.unsaved.map(rowOf));
    this.unsaved = [];
    this.hasLetters = true;
  }

  /** Removes the dead letters up to this position: their events are folded. */
  async passed(position: Position): Promise<void> {
    if (!this.hasLetters) return;
    const letters = [...(await this.load()).values()].flat();
    const done = letters.filter((letter) => letter.position <= position);
    await remove(this.readModels, done);
    if (done.length > 0) await this.load();
  }

  private letterOf(document: string | null, { stream, revision, id, position, type }: Recorded, poison?: Poison): DeadLetter {
    return {
      id: `${this.projection}:${blockOf({ document, stream })}:${position}`,
      projection: this.projection,
      document,
      stream,
      revision,
      event: id,
      position,
      type,
      error: poison === undefined ? 'follows an event that failed' : messageOf(poison.cause),
      first: poison !== undefined,
      retry: false,
      created_at: iso(this.clock.now()),
    };
  }
}

/** Loads the dead letters of a build, in no particular order. */
async function lettersOf(readModels: ReadModels, build: string): Promise<DeadLetter[]> {
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
export async function amend(readModels: ReadModels, letter: DeadLetter): Promise<void> {
  const [kept] = await readModels.load(DEAD_LETTERS, [letter.id]);
  if (kept?.document) await readModels.replace(DEAD_LETTERS, rowOf(letter), letter.position);
}

/** Removes dead letters and leaves tombstones, so that a repeated page does not set the events aside again. */
export async function remove(readModels: ReadModels, letters: readonly DeadLetter[]): Promise<void> {
  await eachAtMost(AT_ONCE, letters, async ({ id, position }) => {
    await readModels.replace(DEAD_LETTERS, { id, position, document: null }, position);
  });
}

/** Removes all dead letters of a build that is dropped. */
export async function removeAll(readModels: ReadModels, build: string): Promise<void> {
  await readModels.prepare(DEAD_LETTERS, deadLettersShape);
  await remove(readModels, await lettersOf(readModels, build));
}

/**
 * Returns whether a group is released. A dead letter that was stored after its blocking dead letter was removed counts
 * as released.
 */
export function isReleased(letters: readonly DeadLetter[]): boolean {
  return letters.every(({ first, retry }) => !first || retry);
}

/** Returns the key of the blocked document or stream. */
export function blockOf({ document, stream }: Pick<DeadLetter, 'document' | 'stream'>): string {
  return document ?? `stream ${stream}`;
}

function rowOf(letter: DeadLetter): Row<DeadLetter> {
  return { id: letter.id, position: letter.position, document: letter };
}

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
/** Letters that are removed at the same time: stores write them together. */
const AT_ONCE = 50;

/** An event that could not be folded into a document, or lies behind one that could not: where it is, not what it holds. */
export interface DeadLetter {
  readonly id: string;
  /** The build: `products@1#2`. */
  readonly projection: string;
  /** Null when not even the document could be told: then the whole stream is blocked. */
  readonly document: string | null;
  readonly stream: string;
  readonly revision: number;
  readonly event: string;
  readonly position: Position;
  readonly type: string;
  readonly error: string;
  /** The one that blocked the document. */
  readonly first: boolean;
  /** An operator wants it to be tried again. */
  readonly retry: boolean;
  readonly created_at: string;
}

/** The blocked documents of one build. Their later events are set aside too, until an operator retries or skips. */
export class DeadLetters {
  /** From which position on. */
  private blocked = new Map<string, Position>();
  private unsaved: DeadLetter[] = [];
  /** There are letters that were not gone when they were last read or written. */
  private hasLetters = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly projection: string,
  ) {}

  prepare(): Promise<void> {
    return this.readModels.prepare(DEAD_LETTERS, deadLettersShape);
  }

  /** All that are kept, by what they block, each group in the order of the log. From now on those block that nobody has released. */
  async load(): Promise<Map<string, DeadLetter[]>> {
    this.unsaved = [];
    const groups = Map.groupBy(await lettersOf(this.readModels, this.projection), blockOf);
    for (const letters of groups.values()) letters.sort((a, b) => (a.position < b.position ? -1 : 1));
    const blocking = [...groups].filter(([, letters]) => !isReleased(letters));
    this.hasLetters = groups.size > 0;
    this.blocked = new Map(blocking.map(([block, letters]) => [block, letters[0]!.position]));
    return groups;
  }

  /** Whether the event is one to set aside; `document` null asks for its stream. */
  blocks(document: string | null, { stream, position }: Pick<Recorded, 'stream' | 'position'>): boolean {
    if (this.blocked.size === 0) return false;
    const since = this.blocked.get(blockOf({ document, stream }));
    return since !== undefined && position >= since;
  }

  /** Sets the event aside; the one that could not be folded blocks its document. */
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

  /** Everything up to here is folded after all. */
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
      error: poison === undefined ? 'behind one that failed' : messageOf(poison.cause),
      first: poison !== undefined,
      retry: false,
      created_at: iso(this.clock.now()),
    };
  }
}

/** The letters of a build, in no order that matters. */
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

/** Changes a kept letter; nothing when it has been taken away meanwhile. */
export async function amend(readModels: ReadModels, letter: DeadLetter): Promise<void> {
  const [kept] = await readModels.load(DEAD_LETTERS, [letter.id]);
  if (kept?.document) await readModels.replace(DEAD_LETTERS, rowOf(letter), letter.position);
}

/** Leaves a tombstone, so that a page that comes again does not set the event aside once more. */
export async function remove(readModels: ReadModels, letters: readonly DeadLetter[]): Promise<void> {
  await eachAtMost(AT_ONCE, letters, async ({ id, position }) => {
    await readModels.replace(DEAD_LETTERS, { id, position, document: null }, position);
  });
}

/** A build that is dropped has none. */
export async function removeAll(readModels: ReadModels, build: string): Promise<void> {
  await readModels.prepare(DEAD_LETTERS, deadLettersShape);
  await remove(readModels, await lettersOf(readModels, build));
}

/** Whoever set something aside behind a letter that was gone already had not yet heard of it: that is as good as released. */
export function isReleased(letters: readonly DeadLetter[]): boolean {
  return letters.every(({ first, retry }) => !first || retry);
}

/** What a letter keeps from going on: its document, or its stream. */
export function blockOf({ document, stream }: Pick<DeadLetter, 'document' | 'stream'>): string {
  return document ?? `stream ${stream}`;
}

function rowOf(letter: DeadLetter): Row<DeadLetter> {
  return { id: letter.id, position: letter.position, document: letter };
}

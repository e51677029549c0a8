import { iso, type Clock } from '../kernel/clock.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { ReadModels, Row, Shape } from '../kernel/read-models.js';
import { messageOf } from './patience.js';

export const DEAD_LETTERS = 'dead_letters';

export const deadLettersShape: Shape = {
  indexes: [
    ['projection', 'created_at'],
    ['projection', 'first', 'created_at'],
  ],
  totals: [['projection']],
};

const AT_ONCE = 500;

/** An event that could not be folded into a document, or lies behind one that could not: where it is, not what it holds. */
export interface DeadLetter {
  readonly id: string;
  /** The collection, version included. */
  readonly projection: string;
  /** Null when not even the document could be told: then the whole stream is blocked. */
  readonly document: string | null;
  readonly stream: string;
  readonly position: Position;
  readonly type: string;
  readonly error: string;
  /** The one that blocked the document. */
  readonly first: boolean;
  readonly created_at: string;
}

/** The blocked documents of one projection. Their later events are set aside too, until an operator retries or skips. */
export class DeadLetters {
  /** From which position on. */
  private readonly blocked = new Map<string, Position>();
  private unsaved: DeadLetter[] = [];

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly projection: string,
  ) {}

  /** What earlier runs have blocked. */
  async load(): Promise<void> {
    await this.readModels.prepare(DEAD_LETTERS, deadLettersShape);
    let after: { value: string; id: string } | undefined;
    do {
      const letters = await this.readModels.find<DeadLetter>(DEAD_LETTERS, {
        where: { projection: this.projection, first: true },
        orderBy: 'created_at',
        after,
        limit: AT_ONCE,
      });
      for (const { document, stream, position } of letters) this.blocked.set(keyOf(document, stream), position);
      const last = letters.length < AT_ONCE ? undefined : letters.at(-1)!;
      after = last && { value: last.created_at, id: last.id };
    } while (after !== undefined);
  }

  /** Whether the event is one to set aside; `document` null asks for its stream. */
  blocks(document: string | null, { stream, position }: Recorded): boolean {
    if (this.blocked.size === 0) return false;
    const since = this.blocked.get(keyOf(document, stream));
    return since !== undefined && position >= since;
  }

  /** Sets the event aside; the first one of a document blocks it. */
  add(document: string | null, event: Recorded, error: unknown): void {
    const { stream, position, type } = event;
    const key = keyOf(document, stream);
    const since = this.blocked.get(key) ?? position;
    this.blocked.set(key, since);
    this.unsaved.push({
      id: `${this.projection}:${key}:${position}`,
      projection: this.projection,
      document,
      stream,
      position,
      type,
      error: since === position ? messageOf(error) : 'behind one that failed',
      first: since === position,
      created_at: iso(this.clock.now()),
    });
  }

  async save(): Promise<void> {
    if (this.unsaved.length === 0) return;
    const rows = this.unsaved.map((letter): Row<DeadLetter> => ({ id: letter.id, position: letter.position, document: letter }));
    await this.readModels.save(DEAD_LETTERS, rows);
    this.unsaved = [];
  }

  /** A repeated page sets the same events aside again. */
  forgetUnsaved(): void {
    this.unsaved = [];
  }
}

function keyOf(document: string | null, stream: string): string {
  return document ?? `stream ${stream}`;
}

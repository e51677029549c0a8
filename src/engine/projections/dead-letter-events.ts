import type { RecordedEvent } from '../../kernel/event.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { DeadLetter } from './dead-letter.js';
import { DeadLetterReader } from './dead-letter-reader.js';

/** Number of events in memory, as long as few streams are read at the same time. */
const READ_AHEAD = 1_000;
const MIN_CHUNK = 20;

/** An event that waits, with one of the dead letters that contain it. */
export interface WaitingEvent {
  readonly event: RecordedEvent;
  readonly deadLetter: DeadLetter;
}

/** Neither an event of the dead letter nor the place of that event can be read. */
export class UnreadableDeadLetter extends Error {
  constructor(
    readonly deadLetter: DeadLetter,
    error: unknown,
  ) {
    super(`${deadLetter.id} cannot be read`, { cause: error });
    this.name = 'UnreadableDeadLetter';
  }
}

interface OpenReader {
  readonly reader: DeadLetterReader;
  readonly next: RecordedEvent;
}

export class DeadLetterEvents {
  /** Readers that have been opened and have events left. */
  private readonly readers = new Map<DeadLetter, DeadLetterReader>();
  private readonly chunkEvents: number;

  /** @param deadLetters in log order */
  constructor(
    private readonly deadLetters: readonly DeadLetter[],
    private readonly store: EventStore,
  ) {
    this.chunkEvents = Math.max(MIN_CHUNK, Math.floor(READ_AHEAD / deadLetters.length));
  }

  /**
   * Yields each event after the position once, in log order. Other events of the same streams may be among them.
   * @throws UnreadableDeadLetter
   */
  async *readAfter(position: Position): AsyncGenerator<WaitingEvent, undefined> {
    let open: OpenReader[] = [];
    let opened = 0;
    for (let reached = position; ;) {
      // A dead letter is opened when one of its events may be the next one.
      for (; opened < this.deadLetters.length; opened++) {
        const deadLetter = this.deadLetters[opened]!;
        if (open.length > 0 && pickFirst(open).next.position < deadLetter.position) break;
        open.push(...(await this.open(deadLetter, reached)));
      }
      if (open.length === 0) return;
      const { reader, next: event } = pickFirst(open);
      yield { event, deadLetter: reader.deadLetter };
      reached = event.position;
      open = await this.advance(open, reached);
    }
  }

  /**
   * Returns the first event of the dead letter after the position, or null.
   * @throws UnreadableDeadLetter
   */
  async readNext(deadLetter: DeadLetter, position: Position): Promise<RecordedEvent | null> {
    const reader = this.readers.get(deadLetter) ?? new DeadLetterReader(deadLetter, this.chunkEvents, this.store);
    this.readers.set(deadLetter, reader);
    try {
      const next = await reader.readNext(position);
      if (next === null) this.readers.delete(deadLetter);
      return next;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      throw new UnreadableDeadLetter(deadLetter, error);
    }
  }

  private async open(deadLetter: DeadLetter, position: Position): Promise<OpenReader[]> {
    const next = await this.readNext(deadLetter, position);
    return next === null ? [] : [{ reader: this.readers.get(deadLetter)!, next }];
  }

  /** Moves the readers past the position; the same event may be in several dead letters. */
  private async advance(open: readonly OpenReader[], position: Position): Promise<OpenReader[]> {
    const moved: OpenReader[] = [];
    for (const one of open) {
      if (one.next.position > position) moved.push(one);
      else moved.push(...(await this.open(one.reader.deadLetter, position)));
    }
    return moved;
  }
}

function pickFirst(open: readonly OpenReader[]): OpenReader {
  return open.reduce((first, one) => (one.next.position < first.next.position ? one : first));
}

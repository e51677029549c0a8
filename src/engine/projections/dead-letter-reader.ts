import type { RecordedEvent } from '../../kernel/event.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import { createUnreadable } from '../../kernel/unreadable-event.js';
import { readPages } from '../read-pages.js';
import { type DeadLetter, toFirstPlace } from './dead-letter.js';

const PAGE_EVENTS = 500;

/** Reads the events between the first and the last revision of a dead letter, in chunks of its stream. */
export class DeadLetterReader {
  private chunk: readonly RecordedEvent[] = [];
  private taken = 0;
  private nextRevision: number;
  private lastPosition: Position = START;

  constructor(
    readonly deadLetter: DeadLetter,
    private readonly chunkEvents: number,
    private readonly store: EventStore,
  ) {
    this.nextRevision = deadLetter.revision;
  }

  /** Returns the first event after this position, or null. The position never decreases from call to call. */
  async readNext(after: Position): Promise<RecordedEvent | null> {
    for (;;) {
      for (; this.taken < this.chunk.length; this.taken++) {
        const event = this.chunk[this.taken]!;
        if (event.position > after) return event;
      }
      const left = this.deadLetter.to_revision - this.nextRevision + 1;
      if (left <= 0) return null;
      this.keepChunk(await this.readChunk(Math.min(left, this.chunkEvents)));
    }
  }

  private keepChunk(chunk: readonly RecordedEvent[]): void {
    const last = chunk.at(-1)!;
    this.chunk = chunk;
    this.taken = 0;
    this.nextRevision = last.revision + 1;
    this.lastPosition = last.position;
  }

  private async readChunk(limit: number): Promise<readonly RecordedEvent[]> {
    const { stream, to_revision } = this.deadLetter;
    const events: RecordedEvent[] = [];
    try {
      for await (const event of this.store.readStream(stream, { from: this.nextRevision, limit }))
        if (event.revision <= to_revision) events.push(event);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (events.length > 0) return events;
      // The events before an unreadable one are returned first.
      return limit > 1 ? this.readChunk(1) : this.readFromLog(error);
    }
    if (events.length === 0) throw new Error(`${stream} has no revision ${this.nextRevision}`);
    return events;
  }

  /** In a page of the log, an unreadable event has its place, and throws its error when its data are read. */
  private async readFromLog(error: unknown): Promise<readonly RecordedEvent[]> {
    const { stream, revision, to_revision, to_position: upTo } = this.deadLetter;
    if (this.nextRevision === revision) return [createUnreadable(toFirstPlace(this.deadLetter), () => error)];
    const options = { after: this.lastPosition, upTo, filter: { prefixes: [stream] }, limit: PAGE_EVENTS };
    for await (const page of readPages(this.store, options)) {
      const events = page.events.filter((event) => event.stream === stream && event.revision <= to_revision);
      if (events.length > 0) return events;
    }
    throw error;
  }
}

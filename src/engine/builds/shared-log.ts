import type { Clock } from '../../kernel/clock.js';
import type { EventPage, EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';

const MAX_PAGES = 4;
/** Maximum time that a reader waits for a slower one; after that the slower one reads the log by itself. */
const WAIT_MS = 1_000;
const POLL_MS = 10;

export interface LogReader {
  readPage(after: Position, limit: number): Promise<EventPage>;
  /** Removes the reader: other readers no longer wait for it. */
  close(): void;
}

/**
 * Shares one read of the log among all builds that are filled at the same time: the others take from memory what one of
 * them has just read.
 */
export class SharedLog {
  /** Pages by start position, in the order of reading. */
  private readonly pages = new Map<Position, Promise<EventPage>>();
  private readonly readers = new Map<LogReader, Position>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  open(): LogReader {
    const reader: LogReader = {
      readPage: (after, limit) => this.readPage(reader, after, limit),
      close: () => {
        this.readers.delete(reader);
        if (this.readers.size === 0) this.pages.clear();
      },
    };
    return reader;
  }

  private async readPage(reader: LogReader, after: Position, limit: number): Promise<EventPage> {
    this.readers.set(reader, after);
    if (!this.pages.has(after)) await this.waitForRoom(reader);
    return this.pages.get(after) ?? this.read(after, limit);
  }

  /** Waits until no slower reader needs the oldest page. */
  private async waitForRoom(reader: LogReader): Promise<void> {
    const end = this.clock.monotonic() + WAIT_MS;
    while (this.pages.size >= MAX_PAGES && this.isNeeded(this.findOldest(), reader) && this.clock.monotonic() < end) {
      await this.clock.sleep(POLL_MS);
    }
    while (this.pages.size >= MAX_PAGES) this.pages.delete(this.findOldest());
  }

  private findOldest(): Position {
    return this.pages.keys().next().value!;
  }

  private isNeeded(page: Position, by: LogReader): boolean {
    return [...this.readers].some(([reader, at]) => reader !== by && at <= page && this.pages.has(at));
  }

  /** Reads a page. The end of the log is not kept, because it may grow. */
  private read(after: Position, limit: number): Promise<EventPage> {
    const page = this.store.readAll({ after, limit });
    this.pages.set(after, page);
    const forget = () => this.pages.delete(after);
    page.then(({ caughtUp }) => caughtUp && forget(), forget);
    return page;
  }
}

import type { Clock } from '../../kernel/clock.js';
import type { EventStore, Page } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';

const KEPT_PAGES = 4;
/** Maximum time that a reader waits for a slower one; after that the slower one reads the log by itself. */
const WAIT_MS = 1_000;
const ASK_AGAIN_MS = 10;

export interface LogReader {
  page(after: Position, limit: number): Promise<Page>;
  /** Removes the reader: other readers no longer wait for it. */
  close(): void;
}

/**
 * Shares one read of the log among all builds that are filled at the same time: the others take from memory what one of
 * them has just read.
 */
export class SharedLog {
  /** Pages by start position, in the order of reading. */
  private readonly pages = new Map<Position, Promise<Page>>();
  /** Position of each reader. */
  private readonly readers = new Map<LogReader, Position>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  open(): LogReader {
    const reader: LogReader = {
      page: (after, limit) => this.page(reader, after, limit),
      close: () => {
        this.readers.delete(reader);
        if (this.readers.size === 0) this.pages.clear();
      },
    };
    return reader;
  }

  private async page(reader: LogReader, after: Position, limit: number): Promise<Page> {
    this.readers.set(reader, after);
    if (!this.pages.has(after)) await this.room(reader);
    return this.pages.get(after) ?? this.read(after, limit);
  }

  /** Waits until no slower reader needs the oldest page. */
  private async room(reader: LogReader): Promise<void> {
    const end = this.clock.monotonic() + WAIT_MS;
    while (this.pages.size >= KEPT_PAGES && this.isNeeded(this.oldest(), reader) && this.clock.monotonic() < end) {
      await this.clock.sleep(ASK_AGAIN_MS);
    }
    while (this.pages.size >= KEPT_PAGES) this.pages.delete(this.oldest());
  }

  private oldest(): Position {
    return this.pages.keys().next().value!;
  }

  private isNeeded(page: Position, by: LogReader): boolean {
    return [...this.readers].some(([reader, at]) => reader !== by && at <= page && this.pages.has(at));
  }

  /** Reads a page. The end of the log is not kept, because it may grow. */
  private read(after: Position, limit: number): Promise<Page> {
    const page = this.store.readAll({ after, limit });
    this.pages.set(after, page);
    const forget = () => this.pages.delete(after);
    page.then(({ caughtUp }) => caughtUp && forget(), forget);
    return page;
  }
}

import type { Clock } from '../../kernel/clock.js';
import type { EventStore, Page } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';

const KEPT_PAGES = 4;
/** How long a reader waits for a slower one, before the slower one has to read the log by itself. */
const WAIT_MS = 1_000;
const ASK_AGAIN_MS = 10;

export interface LogReader {
  page(after: Position, limit: number): Promise<Page>;
  /** Nobody waits for this reader any more. */
  close(): void;
}

/** One read of the log for all builds that are filled at the same time: what one of them has just read, the others take from memory. */
export class SharedLog {
  /** By the position after which they begin, in the order in which they were read. */
  private readonly pages = new Map<Position, Promise<Page>>();
  /** Where each reader is. */
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

  /** Until no slower reader needs the oldest page that is kept. */
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

  /** The end of the log is read again by whoever gets there: more may have come. */
  private read(after: Position, limit: number): Promise<Page> {
    const page = this.store.readAll({ after, limit });
    this.pages.set(after, page);
    const forget = () => this.pages.delete(after);
    page.then(({ caughtUp }) => caughtUp && forget(), forget);
    return page;
  }
}

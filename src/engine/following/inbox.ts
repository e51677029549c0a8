import type { Page } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Bell } from '../bell.js';

/** An empty page counts as one event. */
const CAPACITY = 4_000;

/** Where the follower puts the pages of one runner. Holds only so much: a runner that falls behind reads the log by itself. */
export class Inbox {
  private pages: Page[] = [];
  private held = 0;
  private state: 'shut' | 'collecting' | 'joined' = 'shut';

  /**
   * @param filled rung when there is something to take, or nothing will come any more
   * @param room rung when pages have been taken out
   */
  constructor(
    private readonly filled: Bell,
    private readonly room: Bell,
  ) {}

  get joined(): boolean {
    return this.state === 'joined';
  }

  /** A joined runner that should be waited for, for a moment. */
  get full(): boolean {
    return this.joined && this.held >= CAPACITY;
  }

  /** Keeps the pages that come from now on, without promising that none is missing until `join`. */
  collect(): void {
    this.empty();
    this.state = 'collecting';
  }

  /** False when pages were lost since `collect`: not yet. */
  join(): boolean {
    if (this.state === 'collecting') this.state = 'joined';
    return this.joined;
  }

  offer(page: Page): void {
    if (this.state === 'shut') return;
    if (this.state === 'collecting' && this.held >= CAPACITY) return this.shut();
    this.pages.push(page);
    this.held += Math.max(1, page.events.length);
    this.filled.ring();
  }

  shut(): void {
    this.empty();
    this.state = 'shut';
    this.filled.ring();
  }

  /** All that has come, as one page; null for nothing. */
  take(): Page | null {
    const pages = this.pages;
    this.empty();
    this.room.ring();
    return pages.length === 0 ? null : merged(pages);
  }

  private empty(): void {
    this.pages = [];
    this.held = 0;
  }
}

function merged(pages: readonly Page[]): Page {
  const last = pages.at(-1)!;
  const next: Position = last.next;
  return pages.length === 1 ? last : { events: pages.flatMap(({ events }) => events), next, caughtUp: last.caughtUp };
}

import type { Page } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Bell } from '../bell.js';

/** Maximum number of events; an empty page counts as one. */
const CAPACITY = 4_000;

/** Bounded buffer between the follower and one runner. A runner that falls too far back reads the log by itself. */
export class Inbox {
  private pages: Page[] = [];
  private held = 0;
  private state: 'shut' | 'collecting' | 'joined' = 'shut';

  /**
   * @param filled notified when there is a page to take, or when the inbox closes
   * @param room notified when pages were taken
   */
  constructor(
    private readonly filled: Bell,
    private readonly room: Bell,
  ) {}

  get joined(): boolean {
    return this.state === 'joined';
  }

  /** Whether the follower should wait briefly for this joined runner. */
  get full(): boolean {
    return this.joined && this.held >= CAPACITY;
  }

  /** Collects pages from now on. Only `join` guarantees that no page is missing. */
  collect(): void {
    this.empty();
    this.state = 'collecting';
  }

  /** Returns false when pages were lost since `collect`. */
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

  /** Returns all collected pages as one page, or null. */
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

import type { EventPage } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { AsyncSignal } from '../async-signal.js';
import type { EventTypes } from './event-consumer.js';

/** Maximum number of events; an empty page counts as one. */
const CAPACITY = 4_000;

/** Bounded buffer between the follower and one runner. A runner that falls too far back reads the log by itself. */
export class Inbox {
  private pages: EventPage[] = [];
  private eventCount = 0;
  private state: 'shut' | 'collecting' | 'joined' = 'shut';
  /** The number of events from which a page notifies the runner. */
  private enough = 1;

  /**
   * @param filled notified when there is a page to take, or when the inbox closes
   * @param room notified when pages were taken
   * @param pass passes a page without buffering it, if the runner has no earlier work and the page has none for it
   */
  constructor(
    private readonly filled: AsyncSignal,
    private readonly room: AsyncSignal,
    private readonly pass: (page: EventPage, types: EventTypes) => boolean,
  ) {}

  get isJoined(): boolean {
    return this.state === 'joined';
  }

  /** Whether the follower should wait briefly for this joined runner. */
  get isFull(): boolean {
    return this.isJoined && this.eventCount >= CAPACITY;
  }

  /** Collects pages from now on. Only `join` guarantees that no page is missing. */
  collect(): void {
    this.clear();
    this.state = 'collecting';
  }

  /** Returns false when pages were lost since `collect`. */
  join(): boolean {
    if (this.state === 'collecting') this.state = 'joined';
    return this.isJoined;
  }

  offer(page: EventPage, types: EventTypes): void {
    if (this.state === 'shut') return;
    if (this.isJoined && this.pages.length === 0 && this.pass(page, types)) return;
    if (this.state === 'collecting' && this.eventCount >= CAPACITY) return this.close();
    this.pages.push(page);
    this.eventCount += Math.max(1, page.events.length);
    if (this.eventCount >= this.enough) this.filled.notify();
  }

  /** Resolves when there are so many events, after `ms`, or at any other notification of `filled`. */
  async waitForMore(enough: number, ms: number): Promise<void> {
    if (this.eventCount === 0 || this.eventCount >= enough) return;
    this.enough = enough;
    await this.filled.wait(ms);
    this.enough = 1;
  }

  close(): void {
    this.clear();
    this.state = 'shut';
    this.filled.notify();
  }

  /** Returns all collected pages as one page, or null. */
  take(): EventPage | null {
    const pages = this.pages;
    this.clear();
    this.room.notify();
    return pages.length === 0 ? null : mergePages(pages);
  }

  private clear(): void {
    this.pages = [];
    this.eventCount = 0;
  }
}

function mergePages(pages: readonly EventPage[]): EventPage {
  const last = pages.at(-1)!;
  const next: Position = last.next;
  return pages.length === 1 ? last : { events: pages.flatMap(({ events }) => events), next, caughtUp: last.caughtUp };
}

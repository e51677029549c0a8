import type { Clock, Random } from '../../kernel/clock.js';
import type { EventStore, Page } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import { Bell } from '../bell.js';
import { Patience, type Failure } from '../patience.js';
import { Inbox } from './inbox.js';

export const PAGE_EVENTS = 500;
/** Maximum time that all runners wait for a runner with a full inbox, before that runner must catch up by itself. */
const ROOM_MS = 100;

/**
 * The only reader of the log in a process: it dispatches each unfiltered page to every inbox. Without an inbox it reads
 * nothing.
 */
export class Follower {
  /** Position up to which pages have been dispatched. */
  position: Position = START;
  private readonly inboxes = new Set<Inbox>();
  private readonly reads = new Map<Position, Promise<Page>>();
  private readonly room: Bell;
  private readonly entered: Bell;
  private readonly patience: Patience;
  private isConfirmed = false;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    random: Random,
  ) {
    this.room = new Bell(clock);
    this.entered = new Bell(clock);
    this.patience = new Patience(clock, random);
  }

  get failing(): Failure | null {
    return this.patience.failing;
  }

  /**
   * Moves the follower to the head of the log while no inbox is attached. To be called before the first inbox is
   * attached, and again after the last one was detached. A runner reads earlier events by itself.
   */
  async wake(): Promise<void> {
    if (this.inboxes.size > 0) return;
    const head = await this.store.head();
    if (this.inboxes.size > 0) return;
    this.position = later(this.position, head);
    this.isConfirmed = false;
  }

  enter(filled: Bell): Inbox {
    const inbox = new Inbox(filled, this.room);
    this.inboxes.add(inbox);
    this.entered.ring();
    return inbox;
  }

  leave(inbox: Inbox): void {
    this.inboxes.delete(inbox);
    this.room.ring();
  }

  /** Dispatches the events after `after`, until the signal aborts. */
  async run(after: Position, signal: AbortSignal): Promise<void> {
    this.position = after;
    signal.addEventListener('abort', () => this.entered.ring(), { once: true });
    while (!signal.aborted) {
      if (this.inboxes.size === 0) await this.entered.wait();
      else await this.patience.persist((isWell) => this.follow(signal, isWell), signal);
    }
  }

  /** Reads events after `after` for runners that catch up. Concurrent calls with the same position share one read. */
  past(after: Position): Promise<Page> {
    const read = this.reads.get(after) ?? this.read(after).finally(() => this.reads.delete(after));
    this.reads.set(after, read);
    return read;
  }

  private async read(after: Position): Promise<Page> {
    const given = this.position;
    await this.confirm();
    const page = await this.store.readAll({ after, limit: PAGE_EVENTS });
    // The read happened after the dispatch up to this position: a caught-up page means that no event before it is left.
    return page.caughtUp ? { ...page, next: later(page.next, given) } : page;
  }

  /**
   * Asks the log once to confirm its position. A start position may come from another process. Without the confirmation
   * a lagging node would report its end before that position.
   */
  private async confirm(): Promise<void> {
    if (this.isConfirmed) return;
    await this.store.confirmed();
    this.isConfirmed = true;
  }

  /** Resolves when no inbox is attached. */
  private async follow(signal: AbortSignal, isWell: () => void): Promise<void> {
    for await (const page of this.store.follow({ after: this.position, max: PAGE_EVENTS }, signal)) {
      isWell();
      await this.give(page, signal);
      if (this.inboxes.size === 0) return;
    }
    if (!signal.aborted) throw new Error('the store ended its subscription to the log');
  }

  private async give(page: Page, signal: AbortSignal): Promise<void> {
    // All inboxes get the page synchronously: an inbox that starts to collect sees this position with the page, or
    // neither of them.
    for (const inbox of this.inboxes) inbox.offer(page);
    this.position = page.next;
    if (this.full().length > 0) await this.makeRoom(signal);
    // A store that reads synchronously would otherwise let no other task run until the end of the log.
    if (!page.caughtUp) await this.clock.sleep(0);
  }

  private async makeRoom(signal: AbortSignal): Promise<void> {
    const end = this.clock.monotonic() + ROOM_MS;
    for (let left = ROOM_MS; left > 0 && this.full().length > 0 && !signal.aborted; left = end - this.clock.monotonic()) {
      await this.room.wait(left);
    }
    for (const inbox of this.full()) inbox.shut();
  }

  private full(): Inbox[] {
    return [...this.inboxes].filter(({ full }) => full);
  }
}

import type { Clock, Random } from '../../kernel/clock.js';
import type { EventPage, EventStore } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import { AsyncSignal } from '../async-signal.js';
import { type Failure, Retrier } from '../retrier.js';
import type { EventTypes } from './event-consumer.js';
import { Inbox } from './inbox.js';

export const PAGE_EVENTS = 500;
/** Maximum time that all runners wait for a runner with a full inbox, before that runner must catch up by itself. */
const ROOM_TIMEOUT_MS = 100;
/** Time after which a new subscription that has not failed counts as recovered. */
const RECOVERY_MS = 500;

/**
 * The only reader of the log in a process: it dispatches each unfiltered page to every inbox. Without an inbox it reads
 * nothing.
 */
export class Follower {
  /** Position up to which pages have been dispatched. */
  position: Position = START;
  private readonly inboxes = new Set<Inbox>();
  private readonly reads = new Map<Position, Promise<EventPage>>();
  private readonly roomFreed: AsyncSignal;
  private readonly attached: AsyncSignal;
  private readonly retrier: Retrier;
  private isConfirmed = false;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    random: Random,
  ) {
    this.roomFreed = new AsyncSignal(clock);
    this.attached = new AsyncSignal(clock);
    this.retrier = new Retrier(clock, random, { kind: 'loop', name: 'follower' });
  }

  get failing(): Failure | null {
    return this.retrier.failing;
  }

  /**
   * Moves the follower to the head of the log while no inbox is attached. To be called before the first inbox is
   * attached, and again after the last one was detached. A runner reads earlier events by itself.
   */
  async moveToHead(): Promise<void> {
    if (this.inboxes.size > 0) return;
    const head = await this.store.readHead();
    if (this.inboxes.size > 0) return;
    this.position = pickLater(this.position, head);
    this.isConfirmed = false;
  }

  attach(filled: AsyncSignal, pass: (page: EventPage, types: EventTypes) => boolean = () => false): Inbox {
    const inbox = new Inbox(filled, this.roomFreed, pass);
    this.inboxes.add(inbox);
    this.attached.notify();
    return inbox;
  }

  detach(inbox: Inbox): void {
    this.inboxes.delete(inbox);
    this.roomFreed.notify();
  }

  /** Dispatches the events after `after`, until the signal aborts. */
  async run(after: Position, signal: AbortSignal): Promise<void> {
    this.position = after;
    signal.addEventListener('abort', () => this.attached.notify(), { once: true });
    while (!signal.aborted) {
      if (this.inboxes.size === 0) await this.attached.wait();
      else await this.retrier.run((onHealthy) => this.follow(signal, onHealthy), signal);
    }
  }

  /** Reads events after `after` for runners that catch up. Concurrent calls with the same position share one read. */
  readAfter(after: Position): Promise<EventPage> {
    const read = this.reads.get(after) ?? this.read(after).finally(() => this.reads.delete(after));
    this.reads.set(after, read);
    return read;
  }

  private async read(after: Position): Promise<EventPage> {
    const dispatchedTo = this.position;
    await this.ensureConfirmed();
    const page = await this.store.readAll({ after, limit: PAGE_EVENTS });
    // The read happened after the dispatch up to this position: a caught-up page means that no event before it is left.
    return page.caughtUp ? { ...page, next: pickLater(page.next, dispatchedTo) } : page;
  }

  /**
   * Asks the log once to confirm its position. A start position may come from another process. Without the confirmation
   * a lagging node would report its end before that position.
   */
  private async ensureConfirmed(): Promise<void> {
    if (this.isConfirmed) return;
    await this.store.confirmPosition();
    this.isConfirmed = true;
  }

  /** Resolves when no inbox is attached. */
  private async follow(signal: AbortSignal, onHealthy: () => void): Promise<void> {
    const ended = new AbortController();
    if (this.failing !== null) void this.confirmRecovery(ended.signal, onHealthy);
    try {
      for await (const page of this.store.follow({ after: this.position, pageSize: PAGE_EVENTS }, signal)) {
        onHealthy();
        await this.dispatch(page, signal);
        if (this.inboxes.size === 0) return;
      }
    } finally {
      ended.abort();
    }
    if (!signal.aborted) throw new Error('the store ended its subscription to the log');
  }

  /** On a log without new events, a subscription that lasts and a read that succeeds show that the store is back. */
  private async confirmRecovery(ended: AbortSignal, onHealthy: () => void): Promise<void> {
    await this.clock.sleep(RECOVERY_MS, ended);
    if (ended.aborted) return;
    const isReadable = await this.store.readHead().then(
      () => true,
      () => false,
    );
    if (isReadable && !ended.aborted) onHealthy();
    else if (!ended.aborted) await this.confirmRecovery(ended, onHealthy);
  }

  private async dispatch(page: EventPage, signal: AbortSignal): Promise<void> {
    // All inboxes get the page synchronously: an inbox that starts to collect sees this position with the page, or
    // neither of them.
    const types = new Set(page.events.map(({ type }) => type));
    for (const inbox of this.inboxes) inbox.offer(page, types);
    this.position = page.next;
    if (this.listFull().length > 0) await this.waitForRoom(signal);
    // A store that reads synchronously would otherwise let no other task run until the end of the log.
    if (!page.caughtUp) await this.clock.sleep(0);
  }

  private async waitForRoom(signal: AbortSignal): Promise<void> {
    const end = this.clock.monotonic() + ROOM_TIMEOUT_MS;
    for (
      let left = ROOM_TIMEOUT_MS;
      left > 0 && this.listFull().length > 0 && !signal.aborted;
      left = end - this.clock.monotonic()
    ) {
      await this.roomFreed.wait(left);
    }
    for (const inbox of this.listFull()) inbox.close();
  }

  private listFull(): Inbox[] {
    return [...this.inboxes].filter(({ isFull }) => isFull);
  }
}

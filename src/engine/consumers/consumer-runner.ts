import type { Checkpoints } from '../../kernel/checkpoints.js';
import type { Clock, Random } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { EventPage } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import { readMeta } from '../../kernel/unreadable-event.js';
import { AsyncSignal } from '../async-signal.js';
import { type Failure, Retrier } from '../retrier.js';
import type { CheckpointWriter } from './checkpoint-writer.js';
import type { EventConsumer, EventTypes } from './event-consumer.js';
import { type Follower, PAGE_EVENTS } from './follower.js';
import { InFlightPages } from './in-flight-pages.js';
import type { Inbox } from './inbox.js';
import type { Waiters } from './waiters.js';

/** A runner with a greater delay will not catch up while a read waits. */
const LARGE_LAG_MS = 5_000;
/** A failure that lasts this long will still last while a read waits. */
const FAILING_MS = 1_000;

interface RunnerTools {
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly random: Random;
  readonly follower: Follower;
  readonly checkpointWriter: CheckpointWriter;
  readonly waiters: Waiters;
}

/**
 * Feeds one projection or reactor from its checkpoint on: it reads the log itself until it has caught up, and then
 * takes the follower's pages.
 */
export class ConsumerRunner {
  /** Number of events that the runner has passed in this process, handled or not. */
  passed = 0;
  private appliedTo: Position = START;
  /** Events up to this position are in flight or applied. */
  private dispatchedTo: Position = START;
  private inFlight = new InFlightPages(0);
  private readonly filled: AsyncSignal;
  private readonly retrier: Retrier;
  private inbox: Inbox | null = null;
  private stale = false;
  /** Whether the runner waits for the follower's next page. */
  private isWaiting = false;
  private lagsFar = false;

  constructor(
    private readonly consumer: EventConsumer,
    private readonly tools: RunnerTools,
  ) {
    this.filled = new AsyncSignal(tools.clock);
    this.retrier = new Retrier(tools.clock, tools.random, consumer.work);
  }

  get name(): string {
    return this.consumer.name;
  }

  /** Events up to this position are applied. */
  get position(): Position {
    return this.appliedTo;
  }

  /** Whether the runner takes the follower's pages. */
  get live(): boolean {
    return this.inbox?.isJoined ?? false;
  }

  get failing(): Failure | null {
    return this.retrier.failing ?? this.consumer.failing;
  }

  /**
   * Runs until the signal aborts, and then waits for the events in flight.
   * @param onStarted called when the start position is known
   */
  async run(signal: AbortSignal, onStarted: () => void = () => undefined): Promise<void> {
    const { follower, waiters, checkpoints } = this.tools;
    const wake = () => this.filled.notify();
    signal.addEventListener('abort', wake, { once: true });
    this.inFlight = new InFlightPages(this.consumer.maxInFlight ?? 0);
    try {
      await this.retrier.run(() => follower.moveToHead(), signal);
      const inbox = (this.inbox = follower.attach(this.filled, (page, types) => this.tryPass(page, types)));
      this.appliedTo = this.dispatchedTo = await this.retrier.run(() => checkpoints.readCheckpoint(this.name), signal);
      this.register(waiters);
      waiters.advance(this.name, this.appliedTo);
      onStarted();
      while (!signal.aborted) await this.runStep(inbox, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.inFlight.waitForAll();
      signal.removeEventListener('abort', wake);
      if (this.inbox !== null) follower.detach(this.inbox);
      waiters.unregister(this.name);
      this.inbox = null;
    }
  }

  private register(waiters: Waiters): void {
    waiters.register(this.name, {
      isLate: () => this.lagsFar || this.hasFailedFor(FAILING_MS),
      ...(this.consumer.collectMs !== undefined && { onWait: () => this.filled.notify() }),
    });
  }

  /** Makes the consumer reload its state before the next page. */
  refresh(): void {
    this.stale = true;
    this.filled.notify();
  }

  private async runStep(inbox: Inbox, signal: AbortSignal): Promise<void> {
    if (this.stale) await this.refreshConsumer(signal);
    else if (inbox.isJoined) await this.dispatchNext(inbox, signal);
    else await this.catchUp(inbox, signal);
  }

  private async refreshConsumer(signal: AbortSignal): Promise<void> {
    this.stale = false;
    await this.retrier.run(async () => this.consumer.refresh?.(), signal);
    this.filled.notify();
  }

  private async dispatchNext(inbox: Inbox, signal: AbortSignal): Promise<void> {
    this.isWaiting = true;
    await this.filled.wait();
    this.isWaiting = false;
    await this.collectPages(inbox);
    const page = inbox.take();
    if (page !== null) await this.dispatch(page, signal);
  }

  private async collectPages(inbox: Inbox): Promise<void> {
    const { collectMs } = this.consumer;
    if (collectMs === undefined || this.tools.waiters.isAwaited(this.name)) return;
    await inbox.waitForMore(PAGE_EVENTS, collectMs);
  }

  /**
   * Passes a page without events for the consumer at once: most pages concern few of the consumers, and a task for each
   * of the others costs more than all other work of the page.
   */
  private tryPass(page: EventPage, types: EventTypes): boolean {
    if (!this.isWaiting || this.stale || !this.inFlight.isEmpty || !this.consumer.ignores(types)) return false;
    if (page.next <= this.dispatchedTo) return true;
    this.lagsFar = this.hasLargeLag(page);
    this.dispatchedTo = page.next;
    this.complete(page.next, page.events.length, false);
    return true;
  }

  private async catchUp(inbox: Inbox, signal: AbortSignal): Promise<void> {
    inbox.collect();
    const followerPosition = this.tools.follower.position;
    if (this.dispatchedTo < followerPosition) {
      await this.dispatch(
        await this.retrier.run(() => this.tools.follower.readAfter(this.dispatchedTo), signal),
        signal,
      );
      await this.tools.clock.sleep(0);
    }
    if (this.dispatchedTo >= followerPosition && inbox.join()) this.filled.notify();
  }

  private hasFailedFor(ms: number): boolean {
    const { failing } = this;
    return failing !== null && this.tools.clock.now() - failing.since >= ms;
  }

  /** Dispatches a page; resolves when the next page may come. */
  private async dispatch(page: EventPage, signal: AbortSignal): Promise<void> {
    if (page.next <= this.dispatchedTo) return;
    this.lagsFar = this.hasLargeLag(page);
    const newEvents = page.events.filter(({ position }) => position > this.dispatchedTo);
    this.dispatchedTo = page.next;
    const handled = this.retrier.run(() => this.consumer.handle(newEvents, signal), signal);
    await this.inFlight.add(Math.max(1, newEvents.length), handled, (worked) =>
      this.complete(page.next, newEvents.length, worked),
    );
  }

  private complete(next: Position, events: number, worked: boolean): void {
    if (worked) passCrashPoint('after-documents-before-checkpoint');
    this.appliedTo = next;
    this.passed += events;
    this.tools.checkpointWriter.record(this.name, next, worked);
    this.tools.waiters.advance(this.name, next);
  }

  /** Judges the delay by the time of the last event in a page. */
  private hasLargeLag({ events, caughtUp }: EventPage): boolean {
    if (caughtUp) return false;
    const last = events.at(-1);
    const meta = last === undefined ? null : readMeta(last);
    return meta === null ? this.lagsFar : this.tools.clock.now() - Date.parse(meta.at) >= LARGE_LAG_MS;
  }
}

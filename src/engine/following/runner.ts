import type { Clock, Random } from '../../kernel/clock.js';
import { crashPoint } from '../../kernel/crash-points.js';
import type { Recorded } from '../../kernel/event.js';
import type { Page } from '../../kernel/event-store.js';
import { START, type Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { Bell } from '../bell.js';
import { Patience, type Failure } from '../patience.js';
import type { Checkpoints } from './checkpoints.js';
import type { Follower } from './follower.js';
import type { Inbox } from './inbox.js';
import { UnderWay } from './under-way.js';
import type { Waiters } from './waiters.js';

/** A runner with a greater delay will not catch up while a read waits. */
const FAR_BEHIND_MS = 5_000;
/** A failure that lasts this long will still last while a read waits. */
const FAILING_MS = 1_000;

/** Consumes the log: a projection or a reactor. */
export interface Follows {
  /** Name of the checkpoint. */
  readonly name: string;
  /** Failure of internal work that is being retried now. */
  readonly failing: Failure | null;
  /**
   * Number of events that may be in flight when the next page is dispatched; one page at a time by default. A consumer
   * with a value here keeps the required order itself.
   */
  readonly ahead?: number;
  /**
   * Resolves when all events are applied, so that the checkpoint may move: true when the consumer handled any of them.
   * A call that throws is retried without limit with the same events; after a crash the consumer receives the events
   * again.
   */
  take(events: readonly Recorded[], signal: AbortSignal): Promise<boolean>;
  /** Reloads the state that the consumer needs beside the log. */
  refresh?(): Promise<void>;
}

interface RunnerTools {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly random: Random;
  readonly follower: Follower;
  readonly checkpoints: Checkpoints;
  readonly waiters: Waiters;
}

/**
 * Feeds one projection or reactor from its checkpoint on: it reads the log itself until it has caught up, and then
 * takes the follower's pages.
 */
export class Runner {
  /** Number of events that the runner has passed in this process, handled or not. */
  passed = 0;
  private at: Position = START;
  /** Events up to this position are in flight or applied. */
  private begun: Position = START;
  private underWay = new UnderWay(0);
  private readonly filled: Bell;
  private readonly patience: Patience;
  private inbox: Inbox | null = null;
  private stale = false;
  private farBehind = false;

  constructor(
    private readonly work: Follows,
    private readonly tools: RunnerTools,
  ) {
    this.filled = new Bell(tools.clock);
    this.patience = new Patience(tools.clock, tools.random);
  }

  get name(): string {
    return this.work.name;
  }

  /** Events up to this position are applied. */
  get position(): Position {
    return this.at;
  }

  /** Whether the runner takes the follower's pages. */
  get live(): boolean {
    return this.inbox?.joined ?? false;
  }

  get failing(): Failure | null {
    return this.patience.failing ?? this.work.failing;
  }

  /**
   * Runs until the signal aborts, and then waits for the events in flight.
   * @param onStarted called when the start position is known
   */
  async run(signal: AbortSignal, begun: () => void = () => undefined): Promise<void> {
    const { follower, waiters, readModels } = this.tools;
    const wake = () => this.filled.ring();
    signal.addEventListener('abort', wake, { once: true });
    this.underWay = new UnderWay(this.work.ahead ?? 0);
    try {
      await this.patience.persist(() => follower.wake(), signal);
      const inbox = (this.inbox = follower.enter(this.filled));
      this.at = this.begun = await this.patience.persist(() => readModels.checkpoint(this.name), signal);
      waiters.runs(this.name, () => this.farBehind || this.failsFor(FAILING_MS));
      waiters.reached(this.name, this.at);
      begun();
      while (!signal.aborted) await this.next(inbox, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.underWay.ended();
      signal.removeEventListener('abort', wake);
      if (this.inbox !== null) follower.leave(this.inbox);
      waiters.left(this.name);
      this.inbox = null;
    }
  }

  /** Makes the consumer reload its state before the next page. */
  refresh(): void {
    this.stale = true;
    this.filled.ring();
  }

  private async next(inbox: Inbox, signal: AbortSignal): Promise<void> {
    if (this.stale) await this.refreshed(signal);
    else if (inbox.joined) await this.takeNext(inbox, signal);
    else await this.catchUp(inbox, signal);
  }

  private async refreshed(signal: AbortSignal): Promise<void> {
    this.stale = false;
    await this.patience.persist(async () => this.work.refresh?.(), signal);
    this.filled.ring();
  }

  private async takeNext(inbox: Inbox, signal: AbortSignal): Promise<void> {
    await this.filled.wait();
    const page = inbox.take();
    if (page !== null) await this.apply(page, signal);
  }

  private async catchUp(inbox: Inbox, signal: AbortSignal): Promise<void> {
    inbox.collect();
    const given = this.tools.follower.position;
    if (this.begun < given) {
      await this.apply(await this.patience.persist(() => this.tools.follower.past(this.begun), signal), signal);
      await this.tools.clock.sleep(0);
    }
    if (this.begun >= given && inbox.join()) this.filled.ring();
  }

  private failsFor(ms: number): boolean {
    const { failing } = this;
    return failing !== null && this.tools.clock.now() - failing.since >= ms;
  }

  /** Dispatches a page; resolves when the next page may come. */
  private async apply(page: Page, signal: AbortSignal): Promise<void> {
    if (page.next <= this.begun) return;
    this.farBehind = this.isFarBehind(page);
    const news = page.events.filter(({ position }) => position > this.begun);
    this.begun = page.next;
    const taken = this.patience.persist(() => this.work.take(news, signal), signal);
    await this.underWay.add(Math.max(1, news.length), taken, (worked) => this.pass(page.next, news.length, worked));
  }

  private pass(next: Position, events: number, worked: boolean): void {
    if (worked) crashPoint('after-documents-before-checkpoint');
    this.at = next;
    this.passed += events;
    this.tools.checkpoints.reached(this.name, next, worked);
    this.tools.waiters.reached(this.name, next);
  }

  /** Judges the delay by the time of the last event in a page. */
  private isFarBehind({ events, caughtUp }: Page): boolean {
    const last = events.at(-1);
    if (caughtUp) return false;
    if (last === undefined) return this.farBehind;
    return this.tools.clock.now() - Date.parse(last.meta.at) >= FAR_BEHIND_MS;
  }
}

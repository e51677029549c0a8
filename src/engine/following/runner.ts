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

/** Behind by more than this, it will not have caught up while a read waits. */
const FAR_BEHIND_MS = 5_000;
/** What has been failing for so long will still be failing while a read waits. */
const FAILING_MS = 1_000;

/** What a runner does with the log: a projection, or a reactor. */
export interface Follows {
  /** Of its checkpoint. */
  readonly name: string;
  /** Something inside that is being repeated right now. */
  readonly failing: Failure | null;
  /** How many events may be in hand when the next page comes; a page alone, unless told. Such work keeps the order that it needs itself. */
  readonly ahead?: number;
  /**
   * Resolves when all of it is applied, so that the checkpoint may pass: true when there was anything in it. A throw is repeated for ever
   * with the same events, and sees them again after a crash.
   */
  take(events: readonly Recorded[], signal: AbortSignal): Promise<boolean>;
  /** Reads anew what it depends on beside the log. */
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

/** Feeds one projection or reactor, from its checkpoint on: by its own reading while it is behind, by the follower's pages afterwards. */
export class Runner {
  /** How many events it has come past in this process, whether they were any of its business or not. */
  passed = 0;
  private at: Position = START;
  /** All up to here is in hand, or applied. */
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

  /** All up to here is applied. */
  get position(): Position {
    return this.at;
  }

  /** Takes the follower's pages. */
  get live(): boolean {
    return this.inbox?.joined ?? false;
  }

  get failing(): Failure | null {
    return this.patience.failing ?? this.work.failing;
  }

  /**
   * Until the signal aborts; what is in hand then is ended first.
   * @param begun called when it is known how far it has come
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

  /** Before the next page, the work reads anew what it depends on beside the log. */
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

  /** Resolves when the next page may come. */
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

  /** Told by what the page holds, when it is not the last. */
  private isFarBehind({ events, caughtUp }: Page): boolean {
    const last = events.at(-1);
    if (caughtUp) return false;
    if (last === undefined) return this.farBehind;
    return this.tools.clock.now() - Date.parse(last.meta.at) >= FAR_BEHIND_MS;
  }
}

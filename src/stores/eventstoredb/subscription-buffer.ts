import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import type { RawEvent } from './events.js';

/**
 * How long a page waits for more events before the subscription has reported the end of the log: about as long as a page
 * takes to handle. A server does not report the end while other writers keep it busy.
 */
const CATCH_UP_LINGER_MS = 10;

interface Waiter {
  readonly isMet: () => boolean;
  readonly resume: () => void;
}

/** Buffers the events of a subscription. After a failure, the events received before it can still be taken. */
export class SubscriptionBuffer {
  private readonly events: RawEvent[] = [];
  private failure: { readonly error: unknown } | null = null;
  private isAtEnd = false;
  private isEndReported = false;
  private waiter: Waiter | null = null;

  constructor(
    private readonly subscription: AllStreamSubscription,
    private readonly clock: Clock,
    /** The largest number of events per page. */
    private readonly pageSize: number,
  ) {
    subscription.on('data', (resolved: AllStreamResolvedEvent) => this.receive(resolved));
    subscription.on('caughtUp', () => this.setAtEnd(true));
    subscription.on('fellBehind', () => this.setAtEnd(false));
    // An `error` without a listener would end the process, so the listener stays attached after close.
    subscription.on('error', (error) => this.fail(error));
    subscription.on('end', () => this.fail(new Error('the subscription has ended')));
  }

  /** Whether all events up to the end of the log have been taken. */
  get caughtUp(): boolean {
    return this.isAtEnd && this.events.length === 0 && this.subscription.readableLength === 0;
  }

  /**
   * Returns the next events, at most a page; empty to report only the end of the log. @throws the failure of the
   * subscription
   */
  async take(lingerMs: number): Promise<RawEvent[]> {
    await this.waitUntil(() => this.events.length > 0 || (this.caughtUp && !this.isEndReported));
    if (this.events.length > 0) await this.waitForMore(lingerMs);
    const taken = this.events.splice(0, this.pageSize);
    if (this.subscription.isPaused() && this.events.length < this.pageSize) this.subscription.resume();
    this.isEndReported = this.caughtUp;
    return taken;
  }

  fail(error: unknown): void {
    this.failure ??= { error };
    this.notifyWaiter();
  }

  close(): void {
    this.fail(new Error('closed'));
    // A subscription that the server has ended cannot be ended again.
    this.subscription.unsubscribe().catch(() => undefined);
  }

  private async waitForMore(lingerMs: number): Promise<void> {
    const isFull = () => this.events.length >= this.pageSize;
    if (!this.isAtEnd) await this.waitUntil(() => isFull() || this.isAtEnd, CATCH_UP_LINGER_MS);
    if (this.isAtEnd && lingerMs > 0) await this.waitUntil(isFull, lingerMs);
  }

  private receive({ event }: AllStreamResolvedEvent): void {
    if (event !== undefined) this.events.push(event);
    if (this.events.length >= 2 * this.pageSize) this.subscription.pause();
    this.notifyWaiter();
  }

  private setAtEnd(end: boolean): void {
    this.isAtEnd = end;
    this.isEndReported = false;
    this.notifyWaiter();
  }

  private notifyWaiter(): void {
    if (this.waiter !== null && (this.failure !== null || this.waiter.isMet())) this.waiter.resume();
  }

  /** @throws the failure when the buffer is empty */
  private async waitUntil(isMet: () => boolean, ms?: number): Promise<void> {
    if (this.failure === null && !isMet()) {
      const { promise, resolve: go } = Promise.withResolvers<void>();
      this.waiter = { isMet, resume: go };
      await (ms === undefined ? promise : this.waitAtMost(ms, promise));
      this.waiter = null;
    }
    if (this.failure !== null && this.events.length === 0) throw this.failure.error;
  }

  private async waitAtMost(ms: number, change: Promise<void>): Promise<void> {
    const changed = new AbortController();
    await Promise.race([change, this.clock.sleep(ms, changed.signal)]);
    changed.abort('changed');
  }
}

import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import type { Clock } from '../../kernel/clock.js';
import type { RawEvent } from './events.js';

/** How long a page waits for more events before the subscription has reported the end of the log. */
const CATCHING_UP_MS = 1_000;

interface Waiting {
  readonly met: () => boolean;
  readonly go: () => void;
}

/** Buffers the events of a subscription. After a failure, the events received before it can still be taken. */
export class Inflow {
  private readonly events: RawEvent[] = [];
  private failure: { readonly error: unknown } | null = null;
  private atEnd = false;
  private told = false;
  private waiting: Waiting | null = null;

  constructor(
    private readonly subscription: AllStreamSubscription,
    private readonly clock: Clock,
    /** The largest number of events per page. */
    private readonly max: number,
  ) {
    subscription.on('data', (resolved: AllStreamResolvedEvent) => this.received(resolved));
    subscription.on('caughtUp', () => this.reached(true));
    subscription.on('fellBehind', () => this.reached(false));
    // An `error` without a listener would end the process, so the listener stays attached after close.
    subscription.on('error', (error) => this.fail(error));
    subscription.on('end', () => this.fail(new Error('the subscription has ended')));
  }

  /** Whether all events up to the end of the log have been taken. */
  get caughtUp(): boolean {
    return this.atEnd && this.events.length === 0 && this.subscription.readableLength === 0;
  }

  /**
   * Returns the next events, at most a page; empty to report only the end of the log. @throws the failure of the
   * subscription
   */
  async take(lingerMs: number): Promise<RawEvent[]> {
    await this.until(() => this.events.length > 0 || (this.caughtUp && !this.told));
    if (this.events.length > 0) await this.more(lingerMs);
    const taken = this.events.splice(0, this.max);
    if (this.subscription.isPaused() && this.events.length < this.max) this.subscription.resume();
    this.told = this.caughtUp;
    return taken;
  }

  fail(error: unknown): void {
    this.failure ??= { error };
    this.changed();
  }

  /** Ends the subscription. */
  close(): void {
    this.fail(new Error('closed'));
    this.subscription.unsubscribe().catch(() => undefined);
  }

  private async more(lingerMs: number): Promise<void> {
    const isFull = () => this.events.length >= this.max;
    if (!this.atEnd) await this.until(() => isFull() || this.atEnd, CATCHING_UP_MS);
    if (this.atEnd && lingerMs > 0) await this.until(isFull, lingerMs);
  }

  private received({ event }: AllStreamResolvedEvent): void {
    if (event !== undefined) this.events.push(event);
    if (this.events.length >= 2 * this.max) this.subscription.pause();
    this.changed();
  }

  private reached(end: boolean): void {
    this.atEnd = end;
    this.told = false;
    this.changed();
  }

  private changed(): void {
    if (this.waiting !== null && (this.failure !== null || this.waiting.met())) this.waiting.go();
  }

  /** @throws the failure when the buffer is empty */
  private async until(met: () => boolean, ms?: number): Promise<void> {
    if (this.failure === null && !met()) {
      const { promise, resolve: go } = Promise.withResolvers<void>();
      this.waiting = { met, go };
      await (ms === undefined ? promise : this.atMost(ms, promise));
      this.waiting = null;
    }
    if (this.failure !== null && this.events.length === 0) throw this.failure.error;
  }

  private async atMost(ms: number, change: Promise<void>): Promise<void> {
    const changed = new AbortController();
    await Promise.race([change, this.clock.sleep(ms, changed.signal)]);
    changed.abort('changed');
  }
}

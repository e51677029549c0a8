import { Injectable } from '@nestjs/common';
import { Config } from '../../config.js';
import { Clock } from '../../kernel/clock.js';
import { SlidingWindowLimiter } from './sliding-window-limiter.js';

/** The longest delay. An automatic attempt that gets this delay moves to the backlog of its endpoint. */
export const MAX_DELAY_MS = 5_000;
const MIN_DELAY_MS = 10;
/** The longest wait for a slot at an endpoint that has released a slot within the same time. */
const SOON_TIMEOUT_MS = 100;
/** The number of endpoints above which unused ones are removed. */
const MAX_CACHED_ENDPOINTS = 10_000;
/** A string reason avoids creating an Error per abort. */
const NOT_NEEDED = 'not needed any more';
/** The weight of the latest send in the average duration of an endpoint's sends. */
const LATEST_WEIGHT = 0.2;

/**
 * The share of an endpoint's slots and of its rate that each priority may use. First attempts precede all others.
 * `suspect`: a retry to an endpoint that keeps failing, which would occupy slots and workers that others need.
 */
const SHARES = { first: 1, retry: 0.5, suspect: 0.1, job: 0.5 } as const;

export type SendPriority = keyof typeof SHARES;

const PRIORITIES = Object.keys(SHARES) as readonly SendPriority[];

interface SendQueue {
  readonly limiter: SlidingWindowLimiter;
  /** When the last delayed attempt may try again. */
  endsAt: number;
}

/** The sends of one endpoint in this process. */
interface EndpointUsage {
  inFlight: number;
  /** The moving average of the duration of a send. */
  averageMs: number;
  /** When a slot was last released; the creation time before the first release. */
  releasedAt: number;
  /** When the last free slot was taken. */
  fullAt: number;
  /** Every send counts against the rate of the queue `first`. */
  readonly queues: Readonly<Record<SendPriority, SendQueue>>;
  /** The callers that wait for a slot. They precede the delayed attempts. */
  readonly waiters: ((slot: Slot) => void)[];
}

export type Slot = { readonly release: () => void };

/** Limits the concurrent sends and the rate of sends for each endpoint, so that a slow receiver delays no other. */
@Injectable()
export class EndpointLimiter {
  private readonly usages = new Map<string, EndpointUsage>();
  private readonly maxConcurrent: number;
  private readonly ratePerSecond: number;

  constructor(
    { webhooks }: Config,
    private readonly clock: Clock,
  ) {
    this.maxConcurrent = webhooks.endpointConcurrency;
    this.ratePerSecond = webhooks.endpointRate;
  }

  /** Sets the rate that the endpoint's owner chose, up to the limit of the service. */
  setRate(endpointId: string, perSecond: number | null): void {
    const { queues } = this.getOrCreateUsage(endpointId);
    const ratePerSecond = Math.min(perSecond ?? this.ratePerSecond, this.ratePerSecond);
    for (const priority of PRIORITIES) queues[priority].limiter.setRate(ratePerSecond * SHARES[priority]);
  }

  /** Returns a slot, or the delay after which to try again. */
  tryAcquireOrDelay(endpointId: string, priority: SendPriority): Slot | { readonly waitMs: number } {
    const usage = this.getOrCreateUsage(endpointId);
    return this.canAcquire(usage, priority) ? this.take(usage, priority) : { waitMs: this.enqueue(usage, priority) };
  }

  /**
   * Waits for the next slot for an endpoint's backlog. New attempts queue after it, and so do retries while it sends
   * first attempts. Returns a delay instead when the slot would come later than `timeoutMs`.
   */
  async acquireNext(
    endpointId: string,
    priority: SendPriority,
    timeoutMs: number,
  ): Promise<Slot | { readonly waitMs: number }> {
    const usage = this.getOrCreateUsage(endpointId);
    const until = this.clock.monotonic() + timeoutMs;
    while (!this.canAcquire(usage, priority)) {
      const now = this.clock.monotonic();
      const freeAt =
        priority === 'first'
          ? this.estimateFreeAt(usage, priority, now)
          : Math.max(this.estimateFreeAt(usage, priority, now), usage.queues.first.endsAt);
      const waitMs = Math.ceil(freeAt - now);
      if (freeAt > until) return { waitMs };
      usage.queues[priority].endsAt = Math.max(usage.queues[priority].endsAt, freeAt);
      await this.clock.sleep(waitMs);
    }
    return this.take(usage, priority);
  }

  /** Returns a slot for a first attempt; null when no slot is free or other attempts are queued. */
  tryAcquire(endpointId: string): Slot | null {
    const usage = this.getOrCreateUsage(endpointId);
    return usage.inFlight < this.maxConcurrent && this.canSkipQueue(usage) ? this.take(usage) : null;
  }

  /**
   * Waits briefly for the next slot of an endpoint that keeps releasing slots; returns null when the attempt must
   * queue.
   */
  async acquireSoon(endpointId: string): Promise<Slot | null> {
    const usage = this.getOrCreateUsage(endpointId);
    return this.isReleasedSoon(usage) && this.canSkipQueue(usage)
      ? this.acquireWithin(endpointId, SOON_TIMEOUT_MS)
      : null;
  }

  /**
   * Returns a slot or a delay for a first attempt that was delayed before. It has queued already, so it may wait
   * briefly here.
   */
  async acquireOrDelay(endpointId: string): Promise<Slot | { readonly waitMs: number }> {
    const usage = this.getOrCreateUsage(endpointId);
    const isSoon =
      !this.canAcquire(usage, 'first') && (this.computeRateDelayMs(usage) > 0 || this.isReleasedSoon(usage));
    const slot = isSoon ? await this.acquireWithin(endpointId, SOON_TIMEOUT_MS) : null;
    return slot ?? this.tryAcquireOrDelay(endpointId, 'first');
  }

  /** Waits for a slot; returns null when no slot is free in time or the rate does not allow a send in time. */
  async acquireWithin(endpointId: string, timeoutMs: number): Promise<Slot | null> {
    const usage = this.getOrCreateUsage(endpointId);
    const delayMs = this.computeRateDelayMs(usage);
    if (delayMs > timeoutMs) return null;
    usage.queues.first.limiter.recordStart(this.clock.monotonic() + delayMs);
    if (delayMs > 0) await this.clock.sleep(delayMs);
    return usage.inFlight < this.maxConcurrent ? this.occupy(usage) : this.waitForRelease(usage, timeoutMs - delayMs);
  }

  private async waitForRelease(usage: EndpointUsage, timeoutMs: number): Promise<Slot | null> {
    const { promise, resolve } = Promise.withResolvers<Slot | null>();
    const timer = new AbortController();
    usage.waiters.push(resolve);
    void this.clock.sleep(timeoutMs, timer.signal).then(() => {
      const index = usage.waiters.indexOf(resolve);
      if (index >= 0) usage.waiters.splice(index, 1);
      resolve(null);
    });
    return promise.finally(() => timer.abort(NOT_NEEDED));
  }

  private canAcquire(usage: EndpointUsage, priority: SendPriority): boolean {
    if (usage.inFlight >= Math.ceil(this.maxConcurrent * SHARES[priority]) || !this.isWithinRate(usage)) return false;
    return (
      priority === 'first' ||
      (this.isWithinRate(usage, priority) && this.clock.monotonic() >= usage.queues.first.endsAt)
    );
  }

  private take(usage: EndpointUsage, priority: SendPriority = 'first'): Slot {
    const now = this.clock.monotonic();
    usage.queues.first.limiter.recordStart(now);
    if (priority !== 'first') usage.queues[priority].limiter.recordStart(now);
    return this.occupy(usage);
  }

  private occupy(usage: EndpointUsage): Slot {
    const startedAt = this.clock.monotonic();
    usage.inFlight++;
    if (usage.inFlight >= this.maxConcurrent) usage.fullAt = startedAt;
    return { release: () => this.release(usage, this.clock.monotonic() - startedAt) };
  }

  private release(usage: EndpointUsage, durationMs: number): void {
    usage.inFlight--;
    usage.releasedAt = this.clock.monotonic();
    usage.averageMs += (durationMs - usage.averageMs) * LATEST_WEIGHT;
    const resolveNext = usage.waiters.shift();
    if (resolveNext !== undefined) resolveNext(this.occupy(usage));
  }

  private canSkipQueue(usage: EndpointUsage): boolean {
    return this.clock.monotonic() >= usage.queues.first.endsAt && this.isWithinRate(usage);
  }

  /** Returns true when one more waiting caller would get a slot soon. */
  private isReleasedSoon({ averageMs, releasedAt, waiters }: EndpointUsage): boolean {
    const waitMs = ((waiters.length + 1) * averageMs) / this.maxConcurrent;
    return waitMs < SOON_TIMEOUT_MS && this.clock.monotonic() - releasedAt < SOON_TIMEOUT_MS;
  }

  private isWithinRate(usage: EndpointUsage, priority: SendPriority = 'first'): boolean {
    return this.computeRateDelayMs(usage, priority) === 0;
  }

  /** Returns the time until the rate allows the next send. */
  private computeRateDelayMs(usage: EndpointUsage, priority: SendPriority = 'first'): number {
    return Math.max(0, usage.queues[priority].limiter.nextStartAt - this.clock.monotonic());
  }

  private enqueue(usage: EndpointUsage, priority: SendPriority): number {
    const now = this.clock.monotonic();
    const queue = usage.queues[priority];
    const intervalMs = Math.max(this.estimateSlotMs(usage, priority, now), queue.limiter.intervalMs);
    queue.endsAt = Math.min(
      Math.max(this.estimateFreeAt(usage, priority, now), queue.endsAt + intervalMs),
      now + MAX_DELAY_MS,
    );
    return Math.ceil(queue.endsAt - now);
  }

  /** Estimates when a slot is free and the rate allows its use. */
  private estimateFreeAt(usage: EndpointUsage, priority: SendPriority, now: number): number {
    const estimatedAt = now + MIN_DELAY_MS + this.estimateSlotMs(usage, priority, now);
    return Math.max(estimatedAt, usage.queues[priority].limiter.nextStartAt, usage.queues.first.limiter.nextStartAt);
  }

  /** Estimates the time until the next slot of this priority is free. */
  private estimateSlotMs(usage: EndpointUsage, priority: SendPriority, now: number): number {
    return this.estimateSendMs(usage, now) / (this.maxConcurrent * SHARES[priority]);
  }

  /** Returns the average duration of a send; while all slots are taken, at least the time since then. */
  private estimateSendMs({ averageMs, inFlight, fullAt }: EndpointUsage, now: number): number {
    return inFlight < this.maxConcurrent ? averageMs : Math.max(averageMs, now - fullAt);
  }

  private getOrCreateUsage(endpointId: string): EndpointUsage {
    const existing = this.usages.get(endpointId);
    if (existing !== undefined) return existing;
    const createQueue = (priority: SendPriority) => ({
      limiter: new SlidingWindowLimiter(this.ratePerSecond * SHARES[priority]),
      endsAt: 0,
    });
    const queues = {
      first: createQueue('first'),
      retry: createQueue('retry'),
      suspect: createQueue('suspect'),
      job: createQueue('job'),
    };
    const usage = { inFlight: 0, averageMs: 0, releasedAt: this.clock.monotonic(), fullAt: 0, queues, waiters: [] };
    if (this.usages.size >= MAX_CACHED_ENDPOINTS) this.removeIdle();
    this.usages.set(endpointId, usage);
    return usage;
  }

  private removeIdle(): void {
    for (const [endpointId, { inFlight }] of this.usages) if (inFlight === 0) this.usages.delete(endpointId);
  }
}

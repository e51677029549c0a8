import type { Clock } from '../../kernel/clock.js';
import { SlidingWindowLimiter } from './sliding-window-limiter.js';
import type { Slot } from './slot.js';

/** The longest delay. An automatic attempt that gets this delay moves to the backlog of its endpoint. */
export const MAX_DELAY_MS = 5_000;
const MIN_DELAY_MS = 10;
const SECOND_MS = 1_000;
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
export class EndpointUsage {
  /** Every send counts against the rate of the queue `first`. */
  private readonly queues: Readonly<Record<SendPriority, SendQueue>>;
  /** The callers that wait for a slot. They precede the delayed attempts. */
  private readonly waiters: ((slot: Slot) => void)[] = [];
  private inFlight = 0;
  /** The moving average of the duration of a send. */
  private averageMs = 0;
  /** When a slot was last released; the creation time before the first release. */
  private releasedAt: number;
  private startedAt = -Infinity;
  /** When the last free slot was taken. */
  private fullAt = 0;

  constructor(
    private readonly maxConcurrent: number,
    ratePerSecond: number,
    private readonly clock: Clock,
  ) {
    const createQueue = (priority: SendPriority) => ({
      limiter: new SlidingWindowLimiter(ratePerSecond * SHARES[priority]),
      endsAt: 0,
    });
    this.queues = {
      first: createQueue('first'),
      retry: createQueue('retry'),
      suspect: createQueue('suspect'),
      job: createQueue('job'),
    };
    this.releasedAt = clock.monotonic();
  }

  get isInUse(): boolean {
    return this.inFlight > 0 || this.clock.monotonic() - this.startedAt <= SECOND_MS;
  }

  get isIdle(): boolean {
    return this.inFlight === 0;
  }

  get hasFreeSlot(): boolean {
    return this.hasFreeSlots(1);
  }

  hasFreeSlots(count: number): boolean {
    return this.inFlight + count <= this.maxConcurrent;
  }

  setRate(perSecond: number): void {
    for (const priority of PRIORITIES) this.queues[priority].limiter.setRate(perSecond * SHARES[priority]);
  }

  canAcquire(priority: SendPriority): boolean {
    if (this.inFlight >= Math.ceil(this.maxConcurrent * SHARES[priority]) || !this.isWithinRate()) return false;
    return priority === 'first' || (this.isWithinRate(priority) && this.clock.monotonic() >= this.queues.first.endsAt);
  }

  /** Returns true when no delayed first attempt precedes a new one and the rate allows a send. */
  canSkipQueue(): boolean {
    return this.clock.monotonic() >= this.queues.first.endsAt && this.isWithinRate();
  }

  /**
   * Returns true when the endpoint keeps releasing slots: one more waiting caller, with this number of others ahead of it, would
   * get one within the time.
   */
  isReleasedWithin(timeoutMs: number, others = 0): boolean {
    const waitMs = ((this.waiters.length + others + 1) * this.averageMs) / this.maxConcurrent;
    return waitMs < timeoutMs && this.clock.monotonic() - this.releasedAt < timeoutMs;
  }

  /** Returns the time until the rate allows the next send. */
  computeRateDelayMs(priority: SendPriority = 'first'): number {
    return Math.max(0, this.queues[priority].limiter.nextStartAt - this.clock.monotonic());
  }

  findDelayReason(priority: SendPriority): 'rate' | 'backlog' {
    return this.computeRateDelayMs() > 0 || this.computeRateDelayMs(priority) > 0 ? 'rate' : 'backlog';
  }

  recordStart(at: number): void {
    this.queues.first.limiter.recordStart(at);
  }

  take(priority: SendPriority): Slot {
    const now = this.clock.monotonic();
    this.recordStart(now);
    if (priority !== 'first') this.queues[priority].limiter.recordStart(now);
    return this.occupy();
  }

  occupy(): Slot {
    const startedAt = this.clock.monotonic();
    this.startedAt = startedAt;
    this.inFlight++;
    if (!this.hasFreeSlot) this.fullAt = startedAt;
    return { release: () => this.release(this.clock.monotonic() - startedAt) };
  }

  async waitForRelease(timeoutMs: number): Promise<Slot | null> {
    const { promise, resolve } = Promise.withResolvers<Slot | null>();
    const timer = new AbortController();
    this.waiters.push(resolve);
    void this.clock.sleep(timeoutMs, timer.signal).then(() => {
      const index = this.waiters.indexOf(resolve);
      if (index >= 0) this.waiters.splice(index, 1);
      resolve(null);
    });
    return promise.finally(() => timer.abort(NOT_NEEDED));
  }

  /** Appends a delayed attempt to the queue and returns its delay. */
  enqueue(priority: SendPriority): number {
    const now = this.clock.monotonic();
    const queue = this.queues[priority];
    const intervalMs = Math.max(this.estimateSlotMs(priority, now), queue.limiter.intervalMs);
    const endsAt = Math.max(this.estimateFreeAt(priority, now), queue.endsAt + intervalMs);
    queue.endsAt = Math.min(endsAt, now + MAX_DELAY_MS);
    return Math.ceil(queue.endsAt - now);
  }

  /** Estimates when a backlog gets its next slot: retries queue after the delayed first attempts. */
  estimateNextAt(priority: SendPriority, now: number): number {
    const freeAt = this.estimateFreeAt(priority, now);
    return priority === 'first' ? freeAt : Math.max(freeAt, this.queues.first.endsAt);
  }

  /** Lets new attempts of this priority queue until the given time. */
  extendQueue(priority: SendPriority, until: number): void {
    const queue = this.queues[priority];
    queue.endsAt = Math.max(queue.endsAt, until);
  }

  private isWithinRate(priority: SendPriority = 'first'): boolean {
    return this.computeRateDelayMs(priority) === 0;
  }

  private release(durationMs: number): void {
    this.inFlight--;
    this.releasedAt = this.clock.monotonic();
    this.averageMs += (durationMs - this.averageMs) * LATEST_WEIGHT;
    const resolveNext = this.waiters.shift();
    if (resolveNext !== undefined) resolveNext(this.occupy());
  }

  /** Estimates when a slot is free and the rate allows its use. */
  private estimateFreeAt(priority: SendPriority, now: number): number {
    const estimatedAt = now + MIN_DELAY_MS + this.estimateSlotMs(priority, now);
    return Math.max(estimatedAt, this.queues[priority].limiter.nextStartAt, this.queues.first.limiter.nextStartAt);
  }

  /** Estimates the time until the next slot of this priority is free. */
  private estimateSlotMs(priority: SendPriority, now: number): number {
    return this.estimateSendMs(now) / (this.maxConcurrent * SHARES[priority]);
  }

  /** Returns the average duration of a send; while all slots are taken, at least the time since then. */
  private estimateSendMs(now: number): number {
    return this.hasFreeSlot ? this.averageMs : Math.max(this.averageMs, now - this.fullAt);
  }
}

import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { SlidingWindowLimiter } from './sliding-window-limiter.js';
import type { Slot } from './slot.js';

const MAX_CACHED_HOSTS = 10_000;
/** A string reason avoids creating an Error per abort. */
const NOT_NEEDED = 'not needed any more';

/** An attempt that waits for a slot under all its names at once. */
interface Waiter {
  readonly usages: readonly HostUsage[];
  readonly arrival: number;
  readonly grant: (slot: Slot) => void;
}

interface HostUsage {
  inFlight: number;
  readonly limiter: SlidingWindowLimiter;
  /** In the order of arrival. */
  readonly waiters: Set<Waiter>;
}

/**
 * Limits the sends of all businesses together to one host, by its name and by each of its addresses, so that no
 * business can flood a host through this service. Attempts wait in the order of arrival. A released slot goes to the
 * next attempt at once, and one timer ends the waits for the rate.
 */
@Injectable()
export class HostLimiter {
  private readonly usages = new Map<string, HostUsage>();
  private readonly awaited = new Set<HostUsage>();
  /** This process's share of the limits; 0: no limit. */
  private maxConcurrent: number;
  private perSecond: number;
  private arrivals = 0;
  private timer: { readonly at: number; readonly cancel: () => void } | null = null;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.maxConcurrent = config.webhooks.hostConcurrency;
    this.perSecond = config.webhooks.hostRate;
  }

  /** Divides the limits equally among this number of processes. Each process may make one send at a time, one per second. */
  shareAmong(processes: number): void {
    const { hostConcurrency, hostRate } = this.config.webhooks;
    this.maxConcurrent = shareOf(hostConcurrency, processes);
    this.perSecond = shareOf(hostRate, processes);
    for (const { limiter } of this.usages.values()) limiter.setRate(Math.max(1, this.perSecond));
  }

  /** Returns a slot, or null when the host has none or other attempts wait for one. */
  tryAcquire(names: readonly string[]): Slot | null {
    const usages = this.getOrCreateUsages(names);
    return this.canSkipQueue(usages) ? this.take(usages) : null;
  }

  canAcquire(names: readonly string[]): boolean {
    return this.canSkipQueue(this.getOrCreateUsages(names));
  }

  /** Waits for a slot. Returns null when the wait takes longer than `timeoutMs` or the signal aborts it. */
  async acquire(names: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<Slot | null> {
    const usages = this.getOrCreateUsages(names);
    if (this.canSkipQueue(usages)) return this.take(usages);
    if (timeoutMs <= 0 || signal?.aborted) return null;
    return this.wait(usages, timeoutMs, signal);
  }

  /** Returns a slot above the limits. Later attempts wait until the host is within its limits again. */
  acquireExtra(names: readonly string[]): Slot {
    return this.take(this.getOrCreateUsages(names));
  }

  private wait(usages: readonly HostUsage[], timeoutMs: number, signal?: AbortSignal): Promise<Slot | null> {
    const { promise, resolve } = Promise.withResolvers<Slot | null>();
    const timeout = new AbortController();
    const waiter = { usages, arrival: this.arrivals++, grant: resolve };
    const giveUp = () => {
      this.remove(waiter);
      resolve(null);
    };
    for (const usage of usages) {
      usage.waiters.add(waiter);
      this.awaited.add(usage);
    }
    this.setTimer();
    signal?.addEventListener('abort', giveUp, { once: true });
    void this.clock.sleep(timeoutMs, timeout.signal).then(() => {
      if (!timeout.signal.aborted) giveUp();
    });
    return promise.finally(() => {
      timeout.abort(NOT_NEEDED);
      signal?.removeEventListener('abort', giveUp);
    });
  }

  private canSkipQueue(usages: readonly HostUsage[]): boolean {
    const now = this.clock.monotonic();
    return usages.every((usage) => usage.waiters.size === 0 && this.hasSlot(usage, now));
  }

  private hasSlot(usage: HostUsage, now: number): boolean {
    return this.hasCapacity(usage) && (this.perSecond === 0 || usage.limiter.nextStartAt <= now);
  }

  private hasCapacity({ inFlight }: HostUsage): boolean {
    return this.maxConcurrent === 0 || inFlight < this.maxConcurrent;
  }

  private take(usages: readonly HostUsage[]): Slot {
    const now = this.clock.monotonic();
    for (const usage of usages) {
      usage.inFlight++;
      if (this.perSecond > 0) usage.limiter.recordStart(now);
    }
    return { release: () => this.release(usages) };
  }

  private release(usages: readonly HostUsage[]): void {
    for (const usage of usages) usage.inFlight--;
    this.serve(usages);
    this.setTimer();
  }

  /**
   * Grants slots of these hosts to their waiting attempts, the earliest first. An attempt that also needs a full host
   * is passed over.
   */
  private serve(usages: readonly HostUsage[]): void {
    const now = this.clock.monotonic();
    for (const waiter of mergeWaiters(usages)) {
      if (!usages.some((usage) => usage.waiters.size > 0 && this.hasSlot(usage, now))) return;
      if (!waiter.usages.every((usage) => this.hasSlot(usage, now))) continue;
      this.remove(waiter);
      waiter.grant(this.take(waiter.usages));
    }
  }

  private remove(waiter: Waiter): void {
    for (const usage of waiter.usages) {
      usage.waiters.delete(waiter);
      if (usage.waiters.size === 0) this.awaited.delete(usage);
    }
  }

  /** Sets the timer to the earliest time at which the rate of a host lets a waiting attempt start. */
  private setTimer(): void {
    const at = this.findNextStart();
    if (this.timer !== null && this.timer.at <= at) return;
    this.timer?.cancel();
    this.timer = null;
    if (at === Infinity) return;
    const cancelled = new AbortController();
    const timer = { at, cancel: () => cancelled.abort(NOT_NEEDED) };
    this.timer = timer;
    void this.clock.sleep(Math.ceil(at - this.clock.monotonic()), cancelled.signal).then(() => {
      if (this.timer !== timer) return;
      this.timer = null;
      this.serve([...this.awaited]);
      this.setTimer();
    });
  }

  private findNextStart(): number {
    let at = Infinity;
    if (this.perSecond === 0) return at;
    const now = this.clock.monotonic();
    for (const usage of this.awaited)
      if (this.hasCapacity(usage) && usage.limiter.nextStartAt > now) at = Math.min(at, usage.limiter.nextStartAt);
    return at;
  }

  private getOrCreateUsages(names: readonly string[]): readonly HostUsage[] {
    return [...new Set(names)].map((name) => this.getOrCreateUsage(name));
  }

  private getOrCreateUsage(name: string): HostUsage {
    const existing = this.usages.get(name);
    if (existing !== undefined) return existing;
    if (this.usages.size >= MAX_CACHED_HOSTS) this.removeIdle();
    const usage = {
      inFlight: 0,
      limiter: new SlidingWindowLimiter(Math.max(1, this.perSecond)),
      waiters: new Set<Waiter>(),
    };
    this.usages.set(name, usage);
    return usage;
  }

  private removeIdle(): void {
    for (const [name, { inFlight, waiters }] of this.usages)
      if (inFlight === 0 && waiters.size === 0) this.usages.delete(name);
  }
}

/** No limit stays no limit. */
function shareOf(limit: number, processes: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.floor(limit / processes));
}

/** Yields the waiting attempts of all these hosts in the order of arrival, each once. */
function* mergeWaiters(usages: readonly HostUsage[]): Generator<Waiter> {
  const queues = usages.map(({ waiters }) => waiters.values());
  const heads = queues.map((queue) => queue.next().value);
  for (;;) {
    const next = heads.reduce(
      (first, head) => (head && (!first || head.arrival < first.arrival) ? head : first),
      undefined,
    );
    if (next === undefined) return;
    heads.forEach((head, i) => {
      if (head === next) heads[i] = queues[i]!.next().value;
    });
    yield next;
  }
}

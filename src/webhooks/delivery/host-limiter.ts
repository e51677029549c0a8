import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { SlidingWindowLimiter } from './sliding-window-limiter.js';
import type { Slot } from './slot.js';

/** The longest wait for a host, since a waiting attempt occupies a slot of its endpoint. */
const TIMEOUT_MS = 2_000;
const POLL_MS = 20;
const MAX_CACHED_HOSTS = 10_000;

interface HostUsage {
  inFlight: number;
  readonly limiter: SlidingWindowLimiter;
}

/**
 * Limits the sends of all businesses together to one host, by its name and by each of its addresses, so that no
 * business can flood a host through this service.
 */
@Injectable()
export class HostLimiter {
  private readonly usages = new Map<string, HostUsage>();
  private readonly maxConcurrent: number;
  private readonly perSecond: number;

  constructor(
    { webhooks }: Config,
    private readonly clock: Clock,
  ) {
    this.maxConcurrent = webhooks.hostConcurrency;
    this.perSecond = webhooks.hostRate;
  }

  /** Waits for a slot; returns null when the host has no free slot in time. */
  async acquire(
    host: string,
    addresses: readonly string[],
    deadline: { readonly hasPassed: boolean },
  ): Promise<Slot | null> {
    const names = [...new Set([host, ...addresses])];
    for (const until = this.clock.monotonic() + TIMEOUT_MS; ;) {
      const now = this.clock.monotonic();
      const usages = names.map((name) => this.getOrCreateUsage(name));
      if (usages.every((usage) => this.canAcquire(usage, now))) return this.take(usages, now);
      if (now >= until || deadline.hasPassed) return null;
      await this.clock.sleep(POLL_MS);
    }
  }

  private canAcquire({ inFlight, limiter }: HostUsage, now: number): boolean {
    return (
      (this.maxConcurrent === 0 || inFlight < this.maxConcurrent) &&
      (this.perSecond === 0 || limiter.nextStartAt <= now)
    );
  }

  private take(usages: readonly HostUsage[], now: number): Slot {
    for (const usage of usages) {
      usage.inFlight++;
      if (this.perSecond > 0) usage.limiter.recordStart(now);
    }
    return { release: () => usages.forEach((usage) => usage.inFlight--) };
  }

  private getOrCreateUsage(name: string): HostUsage {
    const existing = this.usages.get(name);
    if (existing !== undefined) return existing;
    if (this.usages.size >= MAX_CACHED_HOSTS) this.removeIdle();
    const usage = { inFlight: 0, limiter: new SlidingWindowLimiter(Math.max(1, this.perSecond)) };
    this.usages.set(name, usage);
    return usage;
  }

  private removeIdle(): void {
    for (const [name, { inFlight }] of this.usages) if (inFlight === 0) this.usages.delete(name);
  }
}

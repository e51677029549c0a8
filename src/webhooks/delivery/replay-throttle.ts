import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { LruCache } from '../../engine/lru-cache.js';
import { Clock } from '../../kernel/clock.js';
import { EndpointLimiter } from './endpoint-limiter.js';
import type { Slot, SlotOrDelay } from './slot.js';

/** The limit for all replay jobs of this process together, which leaves the remaining capacity to live deliveries. */
const MAX_STEPS_PER_SECOND = 250;
const MAX_POLL_MS = 50;
/** The delay that a throttle may catch up, since no timer is exact. */
const MAX_CATCH_UP_MS = 20;
const MAX_CACHED_ENDPOINTS = 10_000;

/** Limits the speed of replay jobs, so that they do not slow live deliveries. */
@Injectable()
export class ReplayThrottle {
  private readonly replayRate: number;
  private readonly endpointRate: number;
  private nextStepAt = 0;
  private readonly backfills = new LruCache<string, EndpointThrottle>(MAX_CACHED_ENDPOINTS);

  constructor(
    private readonly limiter: EndpointLimiter,
    private readonly clock: Clock,
    { webhooks }: Config,
  ) {
    this.replayRate = webhooks.replayRate;
    this.endpointRate = webhooks.endpointRate;
  }

  /** Resolves when the caller may make its next step. */
  async waitForStep(): Promise<void> {
    const now = this.clock.monotonic();
    const at = Math.max(this.nextStepAt, now - MAX_CATCH_UP_MS);
    this.nextStepAt = at + 1_000 / MAX_STEPS_PER_SECOND;
    if (at > now) await this.clock.sleep(at - now);
  }

  /** Returns the next slot for the backfill of an endpoint, or a delay when none is free in time. */
  async acquireOrDelay(endpointId: string, ownerRate: number | null, timeoutMs: number): Promise<SlotOrDelay> {
    const key = `${endpointId}:${ownerRate}`;
    const throttle = this.backfills.get(key) ?? this.forEndpoint(endpointId, ownerRate);
    this.backfills.set(key, throttle);
    const slot = await throttle.acquireSlot(this.clock.monotonic() + timeoutMs);
    return slot ?? { waitMs: throttle.intervalMs, reason: 'backlog' };
  }

  /**
   * Returns the throttle of one endpoint for one run of its batch. `ownerRate`: the owner's limit of sends per second.
   */
  forEndpoint(endpointId: string, ownerRate: number | null): EndpointThrottle {
    const perSecond = Math.min(this.replayRate, ownerRate ?? this.endpointRate, this.endpointRate);
    return new EndpointThrottle(this, this.limiter, this.clock, endpointId, 1_000 / perSecond);
  }
}

/** Limits the sends of one batch: each send starts a fixed interval after the previous one. */
export class EndpointThrottle {
  private nextAt = 0;

  constructor(
    private readonly throttle: ReplayThrottle,
    private readonly limiter: EndpointLimiter,
    private readonly clock: Clock,
    private readonly endpointId: string,
    readonly intervalMs: number,
  ) {}

  /**
   * Returns the next slot that live deliveries leave free, or null when none is free before `until`. A waiting batch
   * uses one global step, so it blocks no other batch.
   */
  async acquireSlot(until: number): Promise<Slot | null> {
    if (!(await this.waitUntilDue(until))) return null;
    await this.throttle.waitForStep();
    do {
      const slot = this.limiter.tryAcquireOrDelay(this.endpointId, 'job');
      if ('release' in slot) return this.recordSend(slot);
      await this.clock.sleep(Math.min(slot.waitMs, MAX_POLL_MS, Math.max(0, until - this.clock.monotonic())));
    } while (this.clock.monotonic() < until);
    return null;
  }

  /** Waits until the next send is due. Returns false at once when that is too late. */
  private async waitUntilDue(until: number): Promise<boolean> {
    if (this.nextAt >= until) return false;
    const waitMs = this.nextAt - this.clock.monotonic();
    if (waitMs > 0) await this.clock.sleep(waitMs);
    return this.clock.monotonic() < until;
  }

  private recordSend(slot: Slot): Slot {
    const now = this.clock.monotonic();
    this.nextAt = Math.max(this.nextAt, now - MAX_CATCH_UP_MS) + this.intervalMs;
    return slot;
  }
}

import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { EndpointUsage, type SendPriority } from './endpoint-usage.js';
import type { Slot, SlotOrDelay } from './slot.js';

/** The longest wait for a slot at an endpoint that has released a slot within the same time. */
export const SOON_TIMEOUT_MS = 100;
/** The number of endpoints above which unused ones are removed. */
const MAX_CACHED_ENDPOINTS = 10_000;

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
    this.getOrCreateUsage(endpointId).setRate(Math.min(perSecond ?? this.ratePerSecond, this.ratePerSecond));
  }

  /** Returns whether the rate delays sends of this process now. */
  isDelayedByRate(endpointId: string): boolean {
    return this.usages.get(endpointId)?.findDelayReason('first') === 'rate';
  }

  /** Returns whether the endpoint has open sends of this process, or had a start within the last second. */
  isInUse(endpointId: string): boolean {
    return this.usages.get(endpointId)?.isInUse ?? false;
  }

  tryAcquireOrDelay(endpointId: string, priority: SendPriority): SlotOrDelay {
    const usage = this.getOrCreateUsage(endpointId);
    if (usage.canAcquire(priority)) return usage.take(priority);
    return { reason: usage.findDelayReason(priority), waitMs: usage.enqueue(priority) };
  }

  /**
   * Waits for the next slot for an endpoint's backlog. New attempts queue after it, and so do retries while it sends
   * first attempts. Returns a delay instead when the slot would come later than `timeoutMs`.
   */
  async acquireNext(endpointId: string, priority: SendPriority, timeoutMs: number): Promise<SlotOrDelay> {
    const usage = this.getOrCreateUsage(endpointId);
    const until = this.clock.monotonic() + timeoutMs;
    while (!usage.canAcquire(priority)) {
      const now = this.clock.monotonic();
      const nextAt = usage.estimateNextAt(priority, now);
      const waitMs = Math.ceil(nextAt - now);
      if (nextAt > until) return { waitMs, reason: usage.findDelayReason(priority) };
      usage.extendQueue(priority, nextAt);
      await this.clock.sleep(waitMs);
    }
    return usage.take(priority);
  }

  /** Returns a slot for a first attempt; null when no slot is free or other attempts are queued. */
  tryAcquire(endpointId: string): Slot | null {
    const usage = this.getOrCreateUsage(endpointId);
    return usage.hasFreeSlot && usage.canSkipQueue() ? usage.take('first') : null;
  }

  /** Returns true when a first attempt with this number of others ahead of it probably gets a slot soon. */
  isSoon(endpointId: string, ahead: number): boolean {
    const usage = this.getOrCreateUsage(endpointId);
    return usage.hasFreeSlots(ahead + 1) || usage.isReleasedWithin(SOON_TIMEOUT_MS, ahead);
  }

  /**
   * Waits briefly for the next slot of an endpoint that keeps releasing slots; returns null when the attempt must
   * queue.
   */
  async acquireSoon(endpointId: string, timeoutMs = SOON_TIMEOUT_MS): Promise<Slot | null> {
    const usage = this.getOrCreateUsage(endpointId);
    return usage.isReleasedWithin(SOON_TIMEOUT_MS) && usage.canSkipQueue()
      ? this.acquireWithin(endpointId, timeoutMs)
      : null;
  }

  /**
   * Returns a slot or a delay for a first attempt that was delayed before. It has queued already, so it may wait
   * briefly here.
   */
  async acquireOrDelay(endpointId: string): Promise<SlotOrDelay> {
    const usage = this.getOrCreateUsage(endpointId);
    const isSoon =
      !usage.canAcquire('first') && (usage.computeRateDelayMs() > 0 || usage.isReleasedWithin(SOON_TIMEOUT_MS));
    const slot = isSoon ? await this.acquireWithin(endpointId, SOON_TIMEOUT_MS) : null;
    return slot ?? this.tryAcquireOrDelay(endpointId, 'first');
  }

  /** Waits for a slot; returns null when no slot is free in time or the rate does not allow a send in time. */
  async acquireWithin(endpointId: string, timeoutMs: number): Promise<Slot | null> {
    const usage = this.getOrCreateUsage(endpointId);
    const delayMs = usage.computeRateDelayMs();
    if (delayMs > timeoutMs) return null;
    usage.recordStart(this.clock.monotonic() + delayMs);
    if (delayMs > 0) await this.clock.sleep(delayMs);
    return usage.hasFreeSlot ? usage.occupy() : usage.waitForRelease(timeoutMs - delayMs);
  }

  private getOrCreateUsage(endpointId: string): EndpointUsage {
    const existing = this.usages.get(endpointId);
    if (existing !== undefined) return existing;
    const usage = new EndpointUsage(this.maxConcurrent, this.ratePerSecond, this.clock);
    if (this.usages.size >= MAX_CACHED_ENDPOINTS) this.removeIdle();
    this.usages.set(endpointId, usage);
    return usage;
  }

  private removeIdle(): void {
    for (const [endpointId, usage] of this.usages) if (usage.isIdle) this.usages.delete(endpointId);
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Turn } from './arrival-lines.js';
import { type BacklogId, Backlogs } from './backlogs.js';
import { type BreakerPass, CircuitBreakers, FREE_PASS } from './circuit-breakers.js';
import { type Destination, Destinations, joinSlot } from './destinations.js';
import { EndpointLimiter, SOON_TIMEOUT_MS } from './endpoint-limiter.js';
import type { SendPriority } from './endpoint-usage.js';
import type { Delay, DelayReason, Slot, SlotOrDelay } from './slot.js';

/** The slots of the endpoint and of its host together, or what the attempt waits for. */
export type Entry = Destination | Delay<DelayReason | 'host'>;

/** Decides which automatic attempts must queue and which priority the others have, and admits attempts of all kinds. */
@Injectable()
export class Admission {
  constructor(
    private readonly backlogs: Backlogs,
    private readonly circuitBreakers: CircuitBreakers,
    private readonly limiter: EndpointLimiter,
    private readonly destinations: Destinations,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns true when a new attempt has to join the backlog of its endpoint. Every first attempt to an endpoint that
   * keeps failing does: only the backlog starts probes.
   */
  mustQueue(backlog: BacklogId): boolean {
    const { endpointId, kind } = backlog;
    return this.backlogs.isActive(backlog) || (kind === 'first' && this.circuitBreakers.isTripped(endpointId));
  }

  /** Asks the circuit breaker about a first attempt. A retry follows its own schedule. */
  async admit({ endpointId, kind }: BacklogId): Promise<BreakerPass> {
    return kind === 'retry' ? FREE_PASS : this.circuitBreakers.admit(endpointId);
  }

  priorityOf({ endpointId, kind }: BacklogId): SendPriority {
    if (kind === 'backfill') return 'job';
    return kind === 'retry' && this.circuitBreakers.isTripped(endpointId) ? 'suspect' : kind;
  }

  /** Waits in line for the host, with a slot of the endpoint, which is released if the host has no slot in time. */
  async enterHost(slot: SlotOrDelay, url: string, timeoutMs: number, signal?: AbortSignal): Promise<Entry> {
    if ('waitMs' in slot) return slot;
    const destination = joinOrRelease(await this.destinations.acquire(url, timeoutMs, signal), slot);
    return destination ?? { waitMs: 0, reason: 'host' };
  }

  /** Returns true when a first attempt that arrives has to join the backlog. */
  mustQueueArrival(turn: Turn, endpointId: string, url: string): boolean {
    return (
      this.mustQueue({ endpointId, kind: 'first' }) ||
      this.destinations.isFull(url) ||
      (turn.ahead > 0 && !this.limiter.isSoon(endpointId, turn.ahead))
    );
  }

  /** Admits a first attempt that needs to wait for nothing. */
  enterNow(turn: Turn, endpointId: string, url: string): Destination | null {
    const addresses = turn.ahead === 0 ? this.destinations.findAddresses(url) : null;
    const slot = addresses && this.limiter.tryAcquire(endpointId);
    return slot && joinOrRelease(this.destinations.tryAcquire(url, addresses), slot);
  }

  /** Waits briefly for the earlier arrivals, a lookup of the host, and a slot. Without a slot, returns null. */
  async enterSoon(turn: Turn, endpointId: string, url: string): Promise<Destination | null> {
    const until = this.clock.monotonic() + SOON_TIMEOUT_MS;
    await turn.began;
    // One of them may have joined the backlog.
    if (turn.ahead > 0 && this.mustQueue({ endpointId, kind: 'first' })) return null;
    const addresses = await this.destinations.resolveSoon(url, until - this.clock.monotonic());
    if (addresses === null) return null;
    const timeoutMs = until - this.clock.monotonic();
    const slot = this.limiter.tryAcquire(endpointId) ?? (await this.limiter.acquireSoon(endpointId, timeoutMs));
    return slot && joinOrRelease(this.destinations.tryAcquire(url, addresses), slot);
  }
}

/** Releases the slot of the endpoint when its host has none. */
function joinOrRelease(destination: Destination | null, slot: Slot): Destination | null {
  if (destination !== null) return joinSlot(destination, slot);
  slot.release();
  return null;
}

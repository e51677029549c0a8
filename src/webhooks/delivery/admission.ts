import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Turn } from './arrival-lines.js';
import { type BacklogId, type BacklogKind, Backlogs } from './backlogs.js';
import { CircuitBreakers, FREE_PASS } from './circuit-breakers.js';
import { type Destination, Destinations, joinSlot } from './destinations.js';
import { EndpointLeases } from './endpoint-leases.js';
import { EndpointLimiter, SOON_TIMEOUT_MS } from './endpoint-limiter.js';
import type { SendPriority } from './endpoint-usage.js';
import type { Receiver } from './receiver.js';
import { type EndpointThrottle, ReplayThrottle } from './replay-throttle.js';
import { type Delay, joinSlots, type Slot, type SlotOrDelay } from './slot.js';

/** The longest wait of a backlog for one slot. */
const BACKLOG_SLOT_TIMEOUT_MS = 2_000;
/** The longest wait of a job for the host of the endpoint. It ends before the lease of the waiting job. */
const HOST_TIMEOUT_MS = 10_000;
/** An HTTP request waits for the slots. */
const REQUEST_TIMEOUT_MS = 1_000;

/** While another process sends the attempts of the endpoint. A process that has released it takes the attempt over. */
const BUSY_IN_OTHER_PROCESS = { waitMs: 1_000, reason: 'backlog' } as const;

/** The slots of the endpoint and of its host together, or what the attempt waits for. */
export type Entry = Destination | Delay;

/**
 * Admits attempts of all kinds: by the circuit breaker of the endpoint, its limits, and those of its host. Each `enter…`
 * is for one way in which an attempt comes, and differs in how long the attempt may wait here.
 */
@Injectable()
export class Admission {
  constructor(
    private readonly backlogs: Backlogs,
    private readonly endpointLeases: EndpointLeases,
    private readonly circuitBreakers: CircuitBreakers,
    private readonly limiter: EndpointLimiter,
    private readonly throttle: ReplayThrottle,
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

  /** Returns true when a first attempt that arrives has to join the backlog. */
  mustQueueArrival(turn: Turn, { endpointId, url }: Receiver): boolean {
    return (
      this.mustQueue({ endpointId, kind: 'first' }) ||
      this.destinations.isFull(url) ||
      (turn.ahead > 0 && !this.limiter.isSoon(endpointId, turn.ahead))
    );
  }

  /** Returns whether the rate of the endpoint delays sends of this process now. */
  isDelayedByRate(endpointId: string): boolean {
    return this.limiter.isDelayedByRate(endpointId);
  }

  /** Returns whether the host is known to have no free slot in this process. */
  isHostFull(url: string): boolean {
    return this.destinations.isFull(url);
  }

  /** Admits a first attempt that arrives and needs to wait for nothing. */
  enterNow(turn: Turn, receiver: Receiver): Destination | null {
    const { endpointId, url } = this.useRate(receiver);
    if (turn.ahead > 0 || !this.endpointLeases.isHeld(endpointId)) return null;
    const addresses = this.destinations.findAddresses(url);
    const slot = addresses && this.limiter.tryAcquire(endpointId);
    return slot && joinOrRelease(this.destinations.tryAcquire(url, addresses), slot);
  }

  /** Waits briefly for the earlier arrivals, a lookup of the host, and a slot. Without a slot, returns null. */
  async enterSoon(turn: Turn, { endpointId, url }: Receiver): Promise<Destination | null> {
    const until = this.clock.monotonic() + SOON_TIMEOUT_MS;
    await turn.began;
    // One of them may have joined the backlog.
    if (turn.ahead > 0 && this.mustQueue({ endpointId, kind: 'first' })) return null;
    if (!(await this.endpointLeases.acquire(endpointId))) return null;
    const addresses = await this.destinations.resolveSoon(url, until - this.clock.monotonic());
    if (addresses === null) return null;
    const timeoutMs = until - this.clock.monotonic();
    const slot = this.limiter.tryAcquire(endpointId) ?? (await this.limiter.acquireSoon(endpointId, timeoutMs));
    return slot && joinOrRelease(this.destinations.tryAcquire(url, addresses), slot);
  }

  /** Admits the attempt of a job that can go to a backlog, or, when `isolated`, one that can only wait for its host. */
  async enterFromJob(receiver: Receiver, kind: 'first' | 'retry', isolated: boolean): Promise<Entry> {
    const { endpointId } = this.useRate(receiver);
    if (!(await this.endpointLeases.acquire(endpointId))) return BUSY_IN_OTHER_PROCESS;
    const slot =
      kind === 'first'
        ? await this.limiter.acquireOrDelay(endpointId)
        : this.limiter.tryAcquireOrDelay(endpointId, this.priorityOf({ endpointId, kind }));
    return this.enterHost(slot, receiver, isolated ? HOST_TIMEOUT_MS : 0);
  }

  /**
   * Admits the attempt at the head of a backlog, which waits for its slots here.
   * @param isOpen an open attempt may have to be made again, but the circuit breaker has admitted it
   */
  async enterFromBacklog(receiver: Receiver, kind: BacklogKind, isOpen: boolean, signal: AbortSignal): Promise<Entry> {
    const { endpointId, ratePerSecond } = this.useRate(receiver);
    if (!(await this.endpointLeases.acquire(endpointId))) return BUSY_IN_OTHER_PROCESS;
    const isRetry = kind === 'retry';
    const { waitMs, end } = isRetry || isOpen ? FREE_PASS : await this.circuitBreakers.admit(endpointId);
    if (waitMs > 0) return { waitMs, reason: 'open_breaker' };
    const slot =
      kind === 'backfill'
        ? await this.throttle.acquireOrDelay(endpointId, ratePerSecond, BACKLOG_SLOT_TIMEOUT_MS)
        : await this.limiter.acquireNext(endpointId, this.priorityOf({ endpointId, kind }), BACKLOG_SLOT_TIMEOUT_MS);
    if ('waitMs' in slot) {
      end();
      return slot;
    }
    return this.enterHost(joinSlots(slot, { release: end }), receiver, HOST_TIMEOUT_MS, signal);
  }

  /** Admits a redelivery of a replay job at the pace of its throttle. Returns null when no slot is free before `until`. */
  async enterFromReplayJob(receiver: Receiver, throttle: EndpointThrottle, until: number): Promise<Destination | null> {
    const { endpointId } = this.useRate(receiver);
    if (!(await this.endpointLeases.acquire(endpointId))) return null;
    const slot = await throttle.acquireSlot(until);
    const entry = slot && (await this.enterHost(slot, receiver, until - this.clock.monotonic()));
    return entry === null || 'waitMs' in entry ? null : entry;
  }

  /**
   * Admits a replay or a test whose result an HTTP request waits for. It counts against the limits of this process only,
   * whichever process sends the automatic attempts.
   * @throws Rejection `service_unavailable` when no slot is free in time
   */
  async enterFromRequest(receiver: Receiver): Promise<Destination> {
    const { endpointId } = this.useRate(receiver);
    const slot = await this.limiter.acquireWithin(endpointId, REQUEST_TIMEOUT_MS);
    if (slot === null)
      throw new Rejection('service_unavailable', 'The endpoint has reached its sending limit. Try again soon.');
    const entry = await this.enterHost(slot, receiver, REQUEST_TIMEOUT_MS);
    if ('waitMs' in entry)
      throw new Rejection('service_unavailable', 'The host of the endpoint is busy. Try again soon.');
    return entry;
  }

  private useRate(receiver: Receiver): Receiver {
    this.limiter.setRate(receiver.endpointId, receiver.ratePerSecond);
    return receiver;
  }

  private priorityOf({ endpointId, kind }: { endpointId: string; kind: 'first' | 'retry' }): SendPriority {
    return kind === 'retry' && this.circuitBreakers.isTripped(endpointId) ? 'suspect' : kind;
  }

  /** Waits in line for the host, with a slot of the endpoint, which is released if the host has no slot in time. */
  private async enterHost(
    slot: SlotOrDelay,
    { url }: Receiver,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Entry> {
    if ('waitMs' in slot) return slot;
    const destination = joinOrRelease(await this.destinations.acquire(url, timeoutMs, signal), slot);
    return destination ?? { waitMs: 0, reason: 'host' };
  }
}

/** Releases the slot of the endpoint when its host has none. */
function joinOrRelease(destination: Destination | null, slot: Slot): Destination | null {
  if (destination !== null) return joinSlot(destination, slot);
  slot.release();
  return null;
}

import { Injectable } from '@nestjs/common';
import { type BacklogId, Backlogs } from './backlogs.js';
import { type BreakerPass, CircuitBreakers, FREE_PASS } from './circuit-breakers.js';
import { type Destination, Destinations, joinSlot } from './destinations.js';
import type { SendPriority } from './endpoint-usage.js';
import type { Delay, DelayReason, SlotOrDelay } from './slot.js';

/** The slots of the endpoint and of its host together, or what the attempt waits for. */
export type Entry = Destination | Delay<DelayReason | 'host'>;

/** Decides which automatic attempts must queue and which priority the others have, and admits attempts of all kinds. */
@Injectable()
export class Admission {
  constructor(
    private readonly backlogs: Backlogs,
    private readonly circuitBreakers: CircuitBreakers,
    private readonly destinations: Destinations,
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
    const destination = await this.destinations.acquire(url, timeoutMs, signal);
    if (destination !== null) return joinSlot(destination, slot);
    slot.release();
    return { waitMs: 0, reason: 'host' };
  }
}

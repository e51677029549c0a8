import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Admission } from './admission.js';
import type { Turn } from './arrival-lines.js';
import { type Destination, Destinations, joinSlot } from './destinations.js';
import { EndpointLimiter, SOON_TIMEOUT_MS } from './endpoint-limiter.js';
import type { Slot } from './slot.js';

/** Gives first attempts the slots of their endpoint and host, in the order of arrival at the endpoint. */
@Injectable()
export class FirstSlots {
  constructor(
    private readonly admission: Admission,
    private readonly limiter: EndpointLimiter,
    private readonly destinations: Destinations,
    private readonly clock: Clock,
  ) {}

  /** Returns true when the attempt has to join the backlog. */
  mustQueue(turn: Turn, endpointId: string, url: string): boolean {
    return (
      this.admission.mustQueue({ endpointId, kind: 'first' }) ||
      this.destinations.isFull(url) ||
      (turn.ahead > 0 && !this.limiter.isSoon(endpointId, turn.ahead))
    );
  }

  acquireNow(turn: Turn, endpointId: string, url: string): Destination | null {
    const addresses = turn.ahead === 0 ? this.destinations.findAddresses(url) : null;
    const slot = addresses && this.limiter.tryAcquire(endpointId);
    return slot && this.join(slot, url, addresses);
  }

  /** Waits briefly for the earlier arrivals, a lookup of the host, and a slot. Without a slot, returns null. */
  async acquireSoon(turn: Turn, endpointId: string, url: string): Promise<Destination | null> {
    const until = this.clock.monotonic() + SOON_TIMEOUT_MS;
    await turn.began;
    // One of them may have joined the backlog.
    if (turn.ahead > 0 && this.admission.mustQueue({ endpointId, kind: 'first' })) return null;
    const addresses = await this.destinations.resolveSoon(url, until - this.clock.monotonic());
    if (addresses === null) return null;
    const timeoutMs = until - this.clock.monotonic();
    const slot = this.limiter.tryAcquire(endpointId) ?? (await this.limiter.acquireSoon(endpointId, timeoutMs));
    return slot && this.join(slot, url, addresses);
  }

  private join(slot: Slot, url: string, addresses: readonly string[]): Destination | null {
    const destination = this.destinations.tryAcquire(url, addresses);
    if (destination !== null) return joinSlot(destination, slot);
    slot.release();
    return null;
  }
}

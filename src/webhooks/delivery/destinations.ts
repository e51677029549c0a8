import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { AddressPolicy } from './address-policy.js';
import { HostLimiter } from './host-limiter.js';
import { NameNotResolved } from './name-resolver.js';
import { joinSlots, type Slot } from './slot.js';

/** A string reason avoids creating an Error per abort. */
const NOT_NEEDED = 'not needed any more';

/** Where one attempt goes: the checked addresses of its URL, with a slot of that host. */
export interface Destination extends Slot {
  readonly url: string;
  /** The checked addresses, or the error of the lookup; an attempt without addresses needs no slot. */
  readonly host: { readonly addresses: readonly string[] } | { readonly error: unknown };
  /** Counts against the timeout of the attempt. */
  readonly resolvedInMs: number;
}

/**
 * Resolves the hosts of receivers and acquires their slots, before the start of an attempt is recorded. So an attempt
 * that waits for its host is no attempt yet.
 */
@Injectable()
export class Destinations {
  private readonly timeoutMs: number;

  constructor(
    private readonly addressPolicy: AddressPolicy,
    private readonly hostLimiter: HostLimiter,
    private readonly clock: Clock,
    { webhooks }: Config,
  ) {
    this.timeoutMs = webhooks.timeoutMs;
  }

  /** Returns whether the host is known to have no free slot. */
  isFull(url: string): boolean {
    const addresses = this.findAddresses(url);
    return addresses !== null && !this.hostLimiter.canAcquire(toNames(url, addresses));
  }

  /** Returns the checked addresses of a host that needs no lookup; null for any other host, or a blocked one. */
  findAddresses(url: string): readonly string[] | null {
    return this.addressPolicy.resolveKnown(new URL(url));
  }

  /** Looks the host up if necessary. Returns null when that takes longer than `timeoutMs`, fails or is not allowed. */
  async resolveSoon(url: string, timeoutMs: number): Promise<readonly string[] | null> {
    // The attempt that follows in the backlog reports the error.
    return this.findAddresses(url) ?? this.resolveWithin(url, timeoutMs).catch(() => null);
  }

  /** Returns null when the host, which has these addresses, has no free slot. */
  tryAcquire(url: string, addresses: readonly string[]): Destination | null {
    return toDestination(url, addresses, 0, this.hostLimiter.tryAcquire(toNames(url, addresses)));
  }

  /** Looks the host up, and waits for its next slot. Returns null when no slot is free within `timeoutMs`. */
  acquire(url: string, timeoutMs: number, signal?: AbortSignal): Promise<Destination | null> {
    return this.resolveAnd(url, (names) => this.hostLimiter.acquire(names, timeoutMs, signal));
  }

  /** Looks the host up. Its slot does not wait for the limits of the host, but counts against them. */
  async acquireExtra(url: string): Promise<Destination> {
    return (await this.resolveAnd(url, (names) => this.hostLimiter.acquireExtra(names)))!;
  }

  private async resolveAnd(
    url: string,
    acquire: (names: readonly string[]) => Slot | null | Promise<Slot | null>,
  ): Promise<Destination | null> {
    const startedAt = this.clock.monotonic();
    try {
      const addresses = await this.resolve(url);
      const resolvedInMs = this.clock.monotonic() - startedAt;
      return toDestination(url, addresses, resolvedInMs, await acquire(toNames(url, addresses)));
    } catch (error) {
      return { url, host: { error }, resolvedInMs: 0, release: () => undefined };
    }
  }

  private async resolve(url: string): Promise<readonly string[]> {
    const addresses = await this.resolveWithin(url, this.timeoutMs);
    if (addresses === null) throw new NameNotResolved(new URL(url).hostname, 'ETIMEOUT');
    return addresses;
  }

  private resolveWithin(url: string, timeoutMs: number): Promise<readonly string[] | null> {
    const timer = new AbortController();
    const timeout = this.clock.sleep(timeoutMs, timer.signal).then(() => null);
    return Promise.race([this.addressPolicy.resolve(new URL(url)), timeout]).finally(() => timer.abort(NOT_NEEDED));
  }
}

/** Returns the destination that a slot belongs to; null for a slot without one. */
export function findDestination(slot: Slot | Destination): Destination | null {
  return 'host' in slot ? slot : null;
}

/** Returns the destination with a second slot, which is released with it. */
export function joinSlot(destination: Destination, slot: Slot): Destination {
  return { ...destination, ...joinSlots(destination, slot) };
}

function toNames(url: string, addresses: readonly string[]): readonly string[] {
  return [new URL(url).hostname, ...addresses];
}

function toDestination(
  url: string,
  addresses: readonly string[],
  resolvedInMs: number,
  slot: Slot | null,
): Destination | null {
  return slot === null ? null : { url, host: { addresses }, resolvedInMs, release: slot.release };
}

import { type BackgroundWork, reportAndIgnore } from '../kernel/background-errors.js';
import { type Clock, msUntilNext, type Random } from '../kernel/clock.js';
import { passCrashPoint } from '../kernel/crash-points.js';
import type { Leases } from '../kernel/leases.js';

const LEASE_MS = 10_000;
/** Fraction of the lease time after which a lease is renewed. */
const RENEWAL_FRACTION = 0.3;
/** Fraction of the lease time by which a holder gives up before the lease expires in the store. */
const SAFETY_MARGIN = 0.2;
const RETRY_MS = 1_000;

export interface AcquiredLease {
  readonly name: string;
  readonly token: number;
  /** Monotonic time at which the lease ends unless it is renewed. */
  readonly expiresAt: number;
}

/**
 * Lets one of several processes do work that each of them could do. A lease only avoids duplicate work: the work guards
 * itself against concurrent runs.
 */
export class LeaseRunner {
  /** @param ttlMs how long another process waits for the lease of a dead process */
  constructor(
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly holder: string,
    private readonly ttlMs = LEASE_MS,
  ) {}

  /**
   * Runs `work` whenever the lease can be acquired, until the signal aborts. The signal passed to `work` aborts when
   * the lease is lost.
   * @param onForeign called each time another process holds the lease
   */
  async hold(
    name: string,
    signal: AbortSignal,
    work: (held: AbortSignal) => Promise<void>,
    onForeign: () => void = () => undefined,
  ): Promise<void> {
    while (!signal.aborted) {
      const lease = await this.tryAcquire(name);
      if (lease === null) onForeign();
      if (lease) await this.runWhileHeld(lease, signal, work);
      else await this.clock.sleep(RETRY_MS * (0.5 + this.random.next() / 2), signal);
    }
  }

  /** Runs `work` once, as soon as the lease can be acquired. */
  async holdOnce(name: string, signal: AbortSignal, work: (held: AbortSignal) => Promise<void>): Promise<void> {
    const done = new AbortController();
    await this.hold(name, AbortSignal.any([signal, done.signal]), async (held) => {
      await work(held);
      if (!held.aborted) done.abort();
    });
  }

  /** Runs `work` if the lease can be acquired now. Returns false when another holder has it. */
  async tryOnce(name: string, signal: AbortSignal, work: (held: AbortSignal) => Promise<void>): Promise<boolean> {
    const lease = await this.acquire(name);
    if (lease !== null) await this.runWhileHeld(lease, signal, work);
    return lease !== null;
  }

  /** Acquires or renews the lease. Returns null while another holder has it. */
  async acquire(name: string): Promise<AcquiredLease | null> {
    const requestedAt = this.clock.monotonic();
    const token = await this.leases.acquireLease(name, this.holder, this.ttlMs);
    return token === null ? null : { name, token, expiresAt: requestedAt + this.ttlMs };
  }

  /** Acquires the lease and releases it at once. Returns null while another holder has it. */
  async probe(name: string): Promise<AcquiredLease | null> {
    const lease = await this.acquire(name);
    if (lease !== null) await this.release(name);
    return lease;
  }

  private async runWhileHeld(
    lease: AcquiredLease,
    signal: AbortSignal,
    work: (held: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const held = new AbortController();
    const abortHeld = () => held.abort();
    signal.addEventListener('abort', abortHeld, { once: true });
    if (signal.aborted) abortHeld();
    const renewing = this.renewUntilLost(lease, held);
    try {
      await work(held.signal);
    } finally {
      signal.removeEventListener('abort', abortHeld);
      abortHeld();
      await renewing;
      await this.release(lease.name);
    }
  }

  /** Renews the lease until it is lost or the work ends. The deadline also applies while the store does not answer. */
  private async renewUntilLost({ name, expiresAt }: AcquiredLease, held: AbortController): Promise<void> {
    const marginMs = this.ttlMs * SAFETY_MARGIN;
    let end = expiresAt - marginMs;
    const renew = async () => {
      const renewed = await this.tryAcquire(name);
      passCrashPoint('during-lease-renewal');
      if (renewed) end = renewed.expiresAt - marginMs;
      if (renewed === null) held.abort();
    };
    const renewals = new Set<Promise<void>>();
    while (!held.signal.aborted) {
      const left = end - this.clock.monotonic();
      if (left <= 0) held.abort();
      await this.clock.sleep(Math.min(this.computeRenewalDelayMs(), left), held.signal);
      if (held.signal.aborted) break;
      const renewal = renew().finally(() => renewals.delete(renewal));
      renewals.add(renewal);
    }
    // A renewal that reached the store after the release would acquire the lease again.
    await Promise.all(renewals);
  }

  /** All leases of a process are renewed at the same times, so that one commit of the store renews them. */
  private computeRenewalDelayMs(): number {
    return msUntilNext(this.ttlMs * RENEWAL_FRACTION, this.clock);
  }

  /** A lease that cannot be released expires. */
  async release(name: string): Promise<void> {
    await this.leases.releaseLease(name, this.holder).catch(reportAndIgnore(toWork(name)));
  }

  /** Returns undefined when the store does not answer. */
  private tryAcquire(name: string): Promise<AcquiredLease | null | undefined> {
    return this.acquire(name).catch(reportAndIgnore(toWork(name)));
  }
}

/** The part after the colon is a number or a build. */
function toWork(lease: string): BackgroundWork {
  return { kind: 'lease', name: lease.split(':', 1)[0]! };
}

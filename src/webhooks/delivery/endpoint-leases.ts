import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AcquiredLease, LeaseRunner } from '../../engine/lease-runner.js';
import { reportAndReturn } from '../../kernel/background-errors.js';
import { Clock, Random } from '../../kernel/clock.js';
import { Leases } from '../../kernel/leases.js';
import { ProcessId } from '../../kernel/process-id.js';
import { EndpointLimiter } from './endpoint-limiter.js';
import { Senders } from './senders.js';

const LEASE_MS = 10_000;
/** No attempt starts under a lease that has less time left than this. */
const MARGIN_MS = 2_000;
const CHECK_MS = 1_000;
const RENEW_AFTER_MS = 3_000;
/** Longer than an attempt that was admitted waits for its slot. */
const IDLE_MS = 3_000;
const WORK = { kind: 'lease', name: 'endpoint' } as const;

interface HeldLease {
  readonly lease: AcquiredLease;
  usedAt: number;
}

/**
 * Lets one process at a time send the automatic attempts of an endpoint, so that the limits of the endpoint hold for all
 * processes together. While a single process sends, it needs no leases. A process releases an endpoint some seconds
 * after its last attempt.
 */
@Injectable()
export class EndpointLeases implements OnApplicationShutdown {
  private readonly held = new Map<string, HeldLease>();
  private readonly pending = new Map<string, Promise<boolean>>();
  private readonly releases = new Map<string, Promise<void>>();
  private readonly closing = new AbortController();
  private readonly leaseRunner: LeaseRunner;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly senders: Senders,
    private readonly limiter: EndpointLimiter,
    leases: Leases,
    private readonly clock: Clock,
    random: Random,
    processId: ProcessId,
  ) {
    this.leaseRunner = new LeaseRunner(leases, clock, random, processId.value, LEASE_MS);
  }

  /** Stops the renewals: the open sends end within the remaining leases. */
  onApplicationShutdown(): void {
    this.closing.abort('closing');
  }

  /** Returns true when this process may send to the endpoint now. */
  isHeld(endpointId: string): boolean {
    if (this.senders.isAlone()) return true;
    const held = this.held.get(endpointId);
    if (held === undefined || !this.isValid(held)) return false;
    held.usedAt = this.clock.monotonic();
    return true;
  }

  /** Acquires the endpoint if necessary. Returns false while another process may send to it. */
  async acquire(endpointId: string): Promise<boolean> {
    if (this.isHeld(endpointId)) return true;
    await this.senders.meet();
    if (this.isHeld(endpointId)) return true;
    return this.senders.isSettled && this.acquireOnce(endpointId);
  }

  /** Callers at the same time share one request to the store. */
  private acquireOnce(endpointId: string): Promise<boolean> {
    const running =
      this.pending.get(endpointId) ?? this.lease(endpointId).finally(() => this.pending.delete(endpointId));
    this.pending.set(endpointId, running);
    return running;
  }

  private async lease(endpointId: string): Promise<boolean> {
    await this.releases.get(endpointId);
    const lease = await this.leaseRunner.acquire(nameOf(endpointId));
    if (lease === null) return false;
    this.held.set(endpointId, { lease, usedAt: this.clock.monotonic() });
    this.checking ??= this.checkWhileHeld();
    return true;
  }

  /** Renews the leases of the endpoints in use, and releases the others. */
  private async checkWhileHeld(): Promise<void> {
    while (this.held.size > 0 && !this.closing.signal.aborted) {
      await this.clock.sleep(CHECK_MS, this.closing.signal);
      await Promise.all([...this.held].map(([endpointId, held]) => this.check(endpointId, held)));
    }
    this.checking = null;
  }

  private async check(endpointId: string, held: HeldLease): Promise<void> {
    const now = this.clock.monotonic();
    if (now - held.usedAt >= IDLE_MS && !this.limiter.isInUse(endpointId)) return this.release(endpointId);
    if (held.lease.expiresAt - now > LEASE_MS - RENEW_AFTER_MS) return;
    const renewed = await this.leaseRunner.acquire(nameOf(endpointId)).catch(reportAndReturn(WORK, undefined));
    if (renewed === null) this.held.delete(endpointId);
    else if (renewed !== undefined) this.held.set(endpointId, { lease: renewed, usedAt: held.usedAt });
  }

  /** The endpoint is unknown here before another process can have it. A new lease of it waits for the release. */
  private release(endpointId: string): Promise<void> {
    this.held.delete(endpointId);
    const released = this.leaseRunner.release(nameOf(endpointId)).finally(() => this.releases.delete(endpointId));
    this.releases.set(endpointId, released);
    return released;
  }

  private isValid({ lease }: HeldLease): boolean {
    return lease.expiresAt - this.clock.monotonic() > MARGIN_MS;
  }
}

function nameOf(endpointId: string): string {
  return `endpoint:${endpointId}`;
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AcquiredLease, LeaseRunner } from '../../engine/lease-runner.js';
import { NumberedLease } from '../../engine/numbered-lease.js';
import { reportAndIgnore } from '../../kernel/background-errors.js';
import { Clock, Random } from '../../kernel/clock.js';
import { Leases } from '../../kernel/leases.js';
import { ProcessId } from '../../kernel/process-id.js';
import type { AttemptOwner, DeliveryChain } from '../domain/delivery-chain/facts.js';
import { Attempts } from './attempts.js';

const LEASE_MS = 12_000;
const RENEW_INTERVAL_MS = 3_000;
/** No attempt starts under a lease that has less time left than this. */
const LEASE_MARGIN_MS = 2_000;

/**
 * Leases the name under which this process starts first attempts without a job. The lease is renewed for as long as any
 * attempt under it may take, so a process that acquires the lease later knows that those attempts have ended.
 */
@Injectable()
export class DispatcherLease implements OnApplicationShutdown {
  private readonly attemptLeaseMs: number;
  private readonly leaseRunner: LeaseRunner;
  private readonly names: NumberedLease;
  private current: AcquiredLease | null = null;
  private pendingRenewal: Promise<AttemptOwner> | null = null;
  private usedAt = -Infinity;
  private renewalLoop: Promise<void> | null = null;
  private readonly closing = new AbortController();
  /** The latest lease number of each name that this process has seen. */
  private readonly latestByName = new Map<string, number>();

  constructor(
    leases: Leases,
    processId: ProcessId,
    private readonly clock: Clock,
    random: Random,
    attempts: Attempts,
  ) {
    this.leaseRunner = new LeaseRunner(leases, clock, random, processId.value, LEASE_MS);
    this.names = new NumberedLease('dispatch', this.leaseRunner);
    this.attemptLeaseMs = attempts.leaseMsFor('automatic');
  }

  static isDispatcher({ job }: AttemptOwner): boolean {
    return job.startsWith('dispatch:');
  }

  /** Returns the owner for an attempt that starts now; leases a name first if necessary. */
  async acquireOwner(): Promise<AttemptOwner> {
    this.usedAt = this.clock.monotonic();
    this.renewalLoop ??= this.renewWhileUsed();
    return this.current !== null && this.current.expiresAt - this.usedAt > LEASE_MARGIN_MS
      ? toOwner(this.current)
      : this.renew();
  }

  /**
   * Returns a later owner of the same name, if one exists or the name can be leased: then every attempt of the given
   * owner has ended. Returns null otherwise.
   */
  async findSuccessor({ job, attempt }: AttemptOwner): Promise<AttemptOwner | null> {
    if ((this.latestByName.get(job) ?? 0) <= attempt) await this.refreshLatest(job);
    const number = this.latestByName.get(job) ?? 0;
    return number > attempt ? { job, attempt: number } : null;
  }

  /** Returns the successor of the dispatcher that started the open attempt; `fallback` when no dispatcher did. */
  async findLaterOwner(chain: DeliveryChain, fallback: AttemptOwner | null = null): Promise<AttemptOwner | null> {
    const owner = chain.status === 'sending' ? chain.open.owner : null;
    return owner !== null && DispatcherLease.isDispatcher(owner) ? this.findSuccessor(owner) : fallback;
  }

  /** Stops the renewal: the open attempts end within the remaining lease. */
  onApplicationShutdown(): void {
    this.closing.abort('closing');
  }

  /**
   * Renews the lease while an attempt may be open. A failed renewal is tried again; a lost lease belongs to another
   * process.
   */
  private async renewWhileUsed(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted && this.clock.monotonic() - this.usedAt < this.attemptLeaseMs) {
      await this.clock.sleep(RENEW_INTERVAL_MS, signal);
      if (!signal.aborted) await this.renew().catch(reportAndIgnore({ kind: 'lease', name: 'dispatch' }));
    }
    this.renewalLoop = null;
  }

  private renew(): Promise<AttemptOwner> {
    this.pendingRenewal ??= this.leaseAnyName().finally(() => (this.pendingRenewal = null));
    return this.pendingRenewal;
  }

  /** Leases the current name, or the first free one when another process has the current name. */
  private async leaseAnyName(): Promise<AttemptOwner> {
    const renewed = this.current === null ? null : await this.leaseRunner.acquire(this.current.name);
    this.current = renewed ?? (await this.names.acquireFirst());
    return this.recordLatest(this.current);
  }

  private async refreshLatest(job: string): Promise<void> {
    if (this.current?.name === job) return void (await this.acquireOwner());
    const lease = await this.leaseRunner.probe(job);
    if (lease !== null) this.recordLatest(lease);
  }

  private recordLatest(lease: AcquiredLease): AttemptOwner {
    this.latestByName.set(lease.name, lease.token);
    return toOwner(lease);
  }
}

function toOwner({ name, token }: AcquiredLease): AttemptOwner {
  return { job: name, attempt: token };
}

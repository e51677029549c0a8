import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Holder } from '../../kernel/holder.js';
import { Clock } from '../../kernel/clock.js';
import { ReadModels } from '../../kernel/read-models.js';
import type { Chain, Run } from '../domain/chain.js';
import { Attempts } from './attempts.js';

const TTL_MS = 12_000;
const RENEW_MS = 3_000;
/** No attempt starts under a lease that has less time left than this. */
const MARGIN_MS = 2_000;

/**
 * Leases the name under which this process starts first attempts without a job. The lease is renewed for as long as any
 * attempt under it may take, so a process that acquires the lease later knows that those attempts have ended.
 */
@Injectable()
export class Dispatches implements OnApplicationShutdown {
  private readonly attemptMs: number;
  private current: { readonly run: Run; readonly ends: number } | null = null;
  private asking: Promise<Run> | null = null;
  private usedAt = -Infinity;
  private keeping: Promise<void> | null = null;
  private readonly closing = new AbortController();
  /** The latest lease number of each name that this process has seen. */
  private readonly latest = new Map<string, number>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly holder: Holder,
    private readonly clock: Clock,
    attempts: Attempts,
  ) {
    this.attemptMs = attempts.leaseMs('automatic');
  }

  static isOf({ job }: Run): boolean {
    return job.startsWith('dispatch:');
  }

  /** Returns the owner for an attempt that starts now; leases a name first if necessary. */
  async own(): Promise<Run> {
    this.usedAt = this.clock.monotonic();
    this.keeping ??= this.keep();
    return this.current !== null && this.current.ends - this.usedAt > MARGIN_MS ? this.current.run : this.ask();
  }

  /**
   * Returns a later owner of the same name, if one exists or the name can be leased: then every attempt of the given
   * owner has ended. Returns null otherwise.
   */
  async laterThan({ job, attempt }: Run): Promise<Run | null> {
    if ((this.latest.get(job) ?? 0) <= attempt) await this.look(job);
    const latest = this.latest.get(job) ?? 0;
    return latest > attempt ? { job, attempt: latest } : null;
  }

  /** Returns the successor of the open attempt's owner; null when no attempt is open or no dispatcher started it. */
  async afterOpen(chain: Chain): Promise<Run | null> {
    const run = chain.status === 'sending' ? chain.open.run : null;
    return run !== null && Dispatches.isOf(run) ? this.laterThan(run) : null;
  }

  /** Stops the renewal: the open attempts end within the remaining lease. */
  onApplicationShutdown(): void {
    this.closing.abort('closing');
  }

  /**
   * Renews the lease while an attempt may be open. A failed renewal is tried again; a lost lease belongs to another
   * process.
   */
  private async keep(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted && this.clock.monotonic() - this.usedAt < this.attemptMs) {
      await this.clock.sleep(RENEW_MS, signal);
      if (!signal.aborted) await this.ask().catch(() => undefined);
    }
    this.keeping = null;
  }

  private ask(): Promise<Run> {
    this.asking ??= this.leased().finally(() => (this.asking = null));
    return this.asking;
  }

  /** Leases the current name, or the first free one when another process has the current name. */
  private async leased(): Promise<Run> {
    const kept = this.current === null ? null : await this.leasedAs(this.current.run.job);
    if (kept !== null) return kept;
    for (let place = 1; ; place++) {
      const run = await this.leasedAs(`dispatch:${place}`);
      if (run !== null) return run;
    }
  }

  private async leasedAs(job: string): Promise<Run | null> {
    const asked = this.clock.monotonic();
    const run = await this.take(job);
    if (run !== null) this.current = { run, ends: asked + TTL_MS };
    return run;
  }

  private async look(job: string): Promise<void> {
    if (this.current?.run.job === job) await this.own();
    else if ((await this.take(job)) !== null) await this.readModels.release(job, this.holder.name);
  }

  private async take(job: string): Promise<Run | null> {
    const attempt = await this.readModels.lease(job, this.holder.name, TTL_MS);
    if (attempt === null) return null;
    this.latest.set(job, attempt);
    return { job, attempt };
  }
}

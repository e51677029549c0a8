import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Holder } from '../../kernel/holder.js';
import { Clock } from '../../kernel/clock.js';
import { ReadModels } from '../../kernel/read-models.js';
import type { Chain, Run } from '../domain/chain.js';
import { Attempts } from './attempts.js';

const TTL_MS = 12_000;
const RENEW_MS = 3_000;
/** Nothing is begun under a lease that may end at once. */
const MARGIN_MS = 2_000;

/**
 * The name under which this process begins first attempts without a job. It is leased, and kept for as long as any attempt begun under it
 * may take: who can have that lease later knows that those attempts are over.
 */
@Injectable()
export class Dispatches implements OnApplicationShutdown {
  private readonly attemptMs: number;
  private current: { readonly run: Run; readonly ends: number } | null = null;
  private asking: Promise<Run> | null = null;
  private usedAt = -Infinity;
  private keeping: Promise<void> | null = null;
  private readonly closing = new AbortController();
  /** The latest run of each name, as far as this process has seen. */
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

  /** What an attempt that begins now is begun by. */
  async own(): Promise<Run> {
    this.usedAt = this.clock.monotonic();
    this.keeping ??= this.keep();
    return this.current !== null && this.current.ends - this.usedAt > MARGIN_MS ? this.current.run : this.ask();
  }

  /** A later run than this one, when there is one or the name is free: then everything begun by this one is over. */
  async laterThan({ job, attempt }: Run): Promise<Run | null> {
    if ((this.latest.get(job) ?? 0) <= attempt) await this.look(job);
    const latest = this.latest.get(job) ?? 0;
    return latest > attempt ? { job, attempt: latest } : null;
  }

  /** The same for the run that has begun what is open in the chain; null also where nothing is, or where no process has begun it. */
  async afterOpen(chain: Chain): Promise<Run | null> {
    const run = chain.status === 'sending' ? chain.open.run : null;
    return run !== null && Dispatches.isOf(run) ? this.laterThan(run) : null;
  }

  /** What is under way then ends within the lease that is left. */
  onApplicationShutdown(): void {
    this.closing.abort('closing');
  }

  /** While an attempt may be under way. What cannot be renewed now may be a moment later; if not, others have been told. */
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

  /** Under the name that it has, for as long as nobody else has it. */
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

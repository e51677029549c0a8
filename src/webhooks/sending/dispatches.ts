import { Injectable } from '@nestjs/common';
import { Holder } from '../../kernel/holder.js';
import { Clock } from '../../kernel/clock.js';
import { ReadModels } from '../../kernel/read-models.js';
import type { Run } from '../domain/chain.js';
import { Attempts } from './attempts.js';

/** Of the attempts' own lease: it is renewed now and then, and not for each. */
const LEASES_OF_AN_ATTEMPT = 4;

/**
 * The name under which this process begins first attempts without a job. It is leased, and for longer than any attempt begun under it: who
 * can have that lease later knows that those attempts are over.
 */
@Injectable()
export class Dispatches {
  private readonly attemptMs: number;
  private readonly ttlMs: number;
  private current: { readonly run: Run; readonly ends: number } | null = null;
  private asking: Promise<Run> | null = null;
  /** The latest run of each name, as far as this process has seen. */
  private readonly latest = new Map<string, number>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly holder: Holder,
    private readonly clock: Clock,
    attempts: Attempts,
  ) {
    this.attemptMs = attempts.leaseMs('automatic');
    this.ttlMs = this.attemptMs * LEASES_OF_AN_ATTEMPT;
  }

  static isOf({ job }: Run): boolean {
    return job.startsWith('dispatch:');
  }

  /** What an attempt that begins now is begun by. */
  async own(): Promise<Run> {
    if (this.current !== null && this.current.ends - this.clock.monotonic() > 2 * this.attemptMs) return this.current.run;
    this.asking ??= this.leased().finally(() => (this.asking = null));
    return this.asking;
  }

  /** A later run than this one, when there is one or the name is free: then everything begun by this one is over. */
  async laterThan({ job, attempt }: Run): Promise<Run | null> {
    if ((this.latest.get(job) ?? 0) <= attempt) await this.look(job);
    const latest = this.latest.get(job) ?? 0;
    return latest > attempt ? { job, attempt: latest } : null;
  }

  private async leased(): Promise<Run> {
    for (let place = 1; ; place++) {
      const asked = this.clock.monotonic();
      const run = await this.take(`dispatch:${place}`);
      if (run === null) continue;
      this.current = { run, ends: asked + this.ttlMs };
      return run;
    }
  }

  private async look(job: string): Promise<void> {
    if (this.current?.run.job === job) await this.own();
    else if ((await this.take(job)) !== null) await this.readModels.release(job, this.holder.name);
  }

  private async take(job: string): Promise<Run | null> {
    const attempt = await this.readModels.lease(job, this.holder.name, this.ttlMs);
    if (attempt === null) return null;
    this.latest.set(job, attempt);
    return { job, attempt };
  }
}

import { Injectable } from '@nestjs/common';
import type { JobHandler } from '../../engine/registry.js';
import { Streams } from '../../engine/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { Jobs, type Job } from '../../kernel/jobs.js';
import { delivery, type Attempt, type Delivery, type Sending } from '../domain/delivery.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { Attempts } from '../sending/attempts.js';
import { attemptJob, contextOfJob, FIRST_ATTEMPTS, LEASES, RETRIES, type DeliveryJob } from '../sending/delivery-jobs.js';
import { Slots } from '../sending/slots.js';

/** Each hanging endpoint holds as many as it has slots: enough that a hundred of them leave room for others. */
const FIRST_ATTEMPTS_AT_ONCE = 1_000;
const RETRIES_AT_ONCE = 200;
const LEASES_AT_ONCE = 20;
const JOB_LEASE_MS = 30_000;
const LOOK_AGAIN_MS = 500;

type Again = { readonly again: string; readonly why: string };

/** Makes the automatic attempts, and ends what a process that is gone has left open. */
@Injectable()
export class Delivering {
  readonly handlers: readonly JobHandler[] = [
    { queue: FIRST_ATTEMPTS, concurrency: FIRST_ATTEMPTS_AT_ONCE, leaseMs: JOB_LEASE_MS, run: (job) => this.deliver(job, 'first') },
    { queue: RETRIES, concurrency: RETRIES_AT_ONCE, leaseMs: JOB_LEASE_MS, run: (job) => this.deliver(job, 'retry') },
    { queue: LEASES, concurrency: LEASES_AT_ONCE, leaseMs: JOB_LEASE_MS, run: (job) => this.endLost(job) },
  ];

  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly slots: Slots,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** A job whose endpoint has no free slot keeps no worker waiting. */
  private async deliver(job: Job, kind: 'first' | 'retry'): Promise<void | Again> {
    const slot = this.slots.enter((job.data as DeliveryJob).endpointId, kind);
    if ('waitMs' in slot) return this.again(slot.waitMs, 'no free slot');
    try {
      return await this.attempt(job, contextOfJob(job));
    } finally {
      slot.release();
    }
  }

  /** What another attempt has left open is ended first, when it is over; then this one starts. */
  private async attempt(job: Job, context: Context): Promise<void | Again> {
    for (const label of ['start', 'start after a lost one']) {
      const { state, recorded } = await this.start(job, step(context, label));
      const started = recorded.find(({ type }) => type === 'AttemptStarted');
      if (started !== undefined && state.status === 'sending')
        return this.follow((await this.attempts.carryOut(state.chain, started.data as Attempt, context)).state, job);
      if (state.status !== 'sending' || (await this.isStillOpen(state, job, context))) return this.follow(state, job);
    }
  }

  private async start(job: Job, context: Context) {
    const { chainId, endpointId } = job.data as DeliveryJob;
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    const run = { job: job.key, attempt: job.attempt };
    const command = { type: 'StartAttempt', target, leaseMs: this.attempts.leaseMs('automatic'), run } as const;
    return this.streams.execute(delivery, chainId, command, context);
  }

  /** An earlier run of this job is over for good: what it left open is lost. Anything else has its lease. */
  private async isStillOpen({ chain, open: { attempt } }: Sending, job: Job | null, context: Context): Promise<boolean> {
    const laterRun = job && { job: job.key, attempt: job.attempt };
    const command = { type: 'LoseAttempt', attempt, laterRun, retries: this.attempts.retries() } as const;
    const { state } = await this.streams.execute(delivery, chain.chainId, command, step(context, 'lose', attempt));
    return state.status === 'sending';
  }

  /** The job of the next attempt is put before this one is done, so that a crash in between loses neither. */
  private async follow(state: Delivery, job: Job): Promise<void | Again> {
    if (state.status === 'sending') return this.again(LOOK_AGAIN_MS, 'another attempt is open');
    if (state.status !== 'waiting') return;
    const next = attemptJob(state.attempts, state.dueAt, job.data as DeliveryJob);
    if (next.key === job.key) return { again: next.due, why: 'not due yet' };
    await this.jobs.put([next]);
  }

  private async endLost(job: Job): Promise<void | Again> {
    const state = await this.streams.state(delivery, (job.data as DeliveryJob).chainId);
    if (state.status !== 'sending') return;
    if (await this.isStillOpen(state, null, contextOfJob(job))) return { again: state.open.leaseUntil, why: 'its lease has not ended' };
  }

  private again(waitMs: number, why: string): Again {
    return { again: iso(this.clock.now() + waitMs), why };
  }
}

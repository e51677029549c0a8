import { Injectable } from '@nestjs/common';
import { messageOf } from '../../engine/patience.js';
import type { Again } from '../../engine/registry.js';
import { Streams, type Outcome } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import { chain, type Chain, type LoseAttempt, type Run, type Sending } from '../domain/chain.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { Attempts } from './attempts.js';
import { attemptJob, isSameAttempt, type ChainJob } from './chain-jobs.js';
import { Dispatches } from './dispatches.js';

const LOOK_AGAIN_MS = 500;
/** For an attempt that another process sends without a job. */
const LOOK_AGAIN_AT_DISPATCHED_MS = 2_000;
/** For a chain that a replay job holds; that job makes the retry due when it releases the chain. */
const LOOK_AGAIN_AT_HELD_MS = 30_000;
const AFTER_A_FAULT_MS = 5_000;

/** Makes the automatic attempt of a job that has a slot, and ends attempts that a dead process left open. */
@Injectable()
export class AutomaticAttempts {
  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly dispatches: Dispatches,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async make(job: ChainJob, context: Context): Promise<void | Again> {
    const begun = await this.startOrEndLost(job, context);
    if (!hasStarted(begun)) return this.follow(begun.state, job);
    const { state } = await this.attempts.carryOut(begun.state.facts, begun.state.open, context);
    return this.follow(state, job);
  }

  async endLost(job: ChainJob, context: Context): Promise<void | Again> {
    const found = await this.streams.state(chain, job.data.chainId);
    if (found.status !== 'sending') return;
    const { status } = await this.lose(found, await this.dispatches.afterOpen(found), context);
    if (status === 'sending') return this.againAfter(found.open, 'its process may still be sending it');
  }

  /**
   * Reschedules a job that failed while an attempt is open, since its next run ends that attempt, or while a store was
   * unavailable. Such a job is never set aside.
   */
  async afterFault(job: ChainJob, error: unknown): Promise<Again> {
    const goesOn = error instanceof StoreUnavailable || (await this.streams.state(chain, job.data.chainId)).status === 'sending';
    if (!goesOn) throw error;
    return this.again(AFTER_A_FAULT_MS, messageOf(error));
  }

  again(waitMs: number, why: string): Again {
    return { again: iso(this.clock.now() + waitMs), why };
  }

  private againAfter({ leaseUntil }: Sending['open'], why: string): Again {
    const soon = this.again(LOOK_AGAIN_AT_DISPATCHED_MS, why);
    return leaseUntil > soon.again ? { again: leaseUntil, why } : soon;
  }

  /** Starts the attempt. If a lost attempt is still open, ends that one first. */
  private async startOrEndLost(job: ChainJob, context: Context): Promise<Outcome<Chain>> {
    const first = await this.start(job, step(context, 'start'));
    if (first.state.status !== 'sending' || hasStarted(first)) return first;

    const { status } = await this.lose(first.state, await this.laterRun(first.state, job), context);
    if (status === 'sending') return first;
    return this.start(job, step(context, 'start after a lost one'));
  }

  private async start(job: ChainJob, context: Context): Promise<Outcome<Chain>> {
    const { chainId, endpointId } = job.data;
    const target = targetOf(await this.streams.state(endpoint, endpointId));
    const run = { job: job.key, attempt: job.attempt };
    const command = { type: 'StartAttempt', target, leaseMs: this.attempts.leaseMs('automatic'), run } as const;
    return this.streams.execute(chain, chainId, command, context);
  }

  private async laterRun({ open: { run } }: Sending, job: ChainJob): Promise<Run | null> {
    if (run !== null && Dispatches.isOf(run)) return this.dispatches.laterThan(run);
    return { job: job.key, attempt: job.attempt };
  }

  /** Ends an attempt as lost when an earlier run of this job left it open. Any other attempt keeps its lease. */
  private async lose({ facts, open }: Sending, laterRun: LoseAttempt['laterRun'], context: Context): Promise<Chain> {
    const { attempt } = open;
    const command = { type: 'LoseAttempt', attempt, laterRun, retries: this.attempts.retries() } as const;
    return (await this.attempts.end(facts.chainId, command, step(context, 'lose', attempt))).state;
  }

  /** Enqueues the job of the next attempt before this job completes, so that a crash between the two loses neither. */
  private async follow(state: Chain, job: ChainJob): Promise<void | Again> {
    if (state.status === 'sending') return this.again(lookAgainMs(state), 'another attempt is open');
    if (state.status !== 'waiting') return;
    if (state.heldBy !== null) return this.again(LOOK_AGAIN_AT_HELD_MS, 'a replay job holds the delivery chain');
    const next = attemptJob(state.attempts, state.dueAt, job.data);
    if (isSameAttempt(job, next)) return { again: next.due, why: 'not due yet' };
    await this.jobs.put([next]);
  }
}

function lookAgainMs({ open: { run } }: Sending): number {
  return run !== null && Dispatches.isOf(run) ? LOOK_AGAIN_AT_DISPATCHED_MS : LOOK_AGAIN_MS;
}

function hasStarted(outcome: Outcome<Chain>): outcome is Outcome<Sending> {
  return outcome.state.status === 'sending' && outcome.recorded.some(({ type }) => type === 'AttemptStarted');
}

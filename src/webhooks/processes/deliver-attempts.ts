import { Injectable } from '@nestjs/common';
import type { Again, JobHandler } from '../../engine/registry.js';
import { messageOf } from '../../engine/patience.js';
import { Streams, type Outcome } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import { chain, type Chain, type LoseAttempt, type Run, type Sending } from '../domain/chain.js';
import { endpoint, targetOf, type Endpoint } from '../domain/endpoint.js';
import { Attempts } from '../sending/attempts.js';
import { Breakers } from '../sending/breakers.js';
import { attemptJob, contextOfJob, FIRST_ATTEMPTS, LEASES, RETRIES, type ChainJob } from '../sending/chain-jobs.js';
import { Dispatches } from '../sending/dispatches.js';
import { Slots, type Slot } from '../sending/slots.js';

/** Each hanging endpoint holds as many as it has slots: enough that a hundred of them leave room for others. */
const FIRST_ATTEMPTS_AT_ONCE = 1_000;
const RETRIES_AT_ONCE = 1_000;
const LEASES_AT_ONCE = 20;
const LOOK_AGAIN_MS = 500;
/** At what another process sends without a job. */
const LOOK_AGAIN_AT_DISPATCHED_MS = 2_000;
/** At what a replay job has to itself; it asks for the retry when it gives the chain back. */
const LOOK_AGAIN_AT_HELD_MS = 30_000;
const AFTER_A_FAULT_MS = 5_000;

/** Makes the automatic attempts, and ends what a process that is gone has left open. */
@Injectable()
export class DeliverAttempts {
  readonly name = 'deliver-attempts';
  readonly handlers: readonly JobHandler[];

  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly slots: Slots,
    private readonly breakers: Breakers,
    private readonly dispatches: Dispatches,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {
    this.handlers = [
      this.handler(FIRST_ATTEMPTS, FIRST_ATTEMPTS_AT_ONCE, (job) => this.deliver(job, 'first')),
      this.handler(RETRIES, RETRIES_AT_ONCE, (job) => this.deliver(job, 'retry')),
      this.handler(LEASES, LEASES_AT_ONCE, (job) => this.endLost(job)),
    ];
  }

  private handler(queue: string, concurrency: number, work: (job: ChainJob) => Promise<void | Again>): JobHandler {
    const run = (job: ChainJob) => work(job).catch((error: unknown) => this.afterFault(job, error));
    return { queue, concurrency, run };
  }

  /** A job is never set aside over an open attempt, which its next run ends; nor because the store was away. */
  private async afterFault(job: ChainJob, error: unknown): Promise<Again> {
    const goesOn = error instanceof StoreUnavailable || (await this.streams.state(chain, job.data.chainId)).status === 'sending';
    if (!goesOn) throw error;
    return this.again(AFTER_A_FAULT_MS, messageOf(error));
  }

  /** A job whose endpoint has no free slot keeps no worker waiting. */
  private async deliver(job: ChainJob, kind: 'first' | 'retry'): Promise<void | Again> {
    const to = await this.streams.state(endpoint, job.data.endpointId);
    const heldMs = kind === 'first' ? await this.heldMs(job, to) : 0;
    if (heldMs > 0) return this.again(heldMs, 'the endpoint keeps failing');
    if ('settings' in to) this.slots.limitRate(job.data.endpointId, to.settings.rateLimitPerSecond);
    const slot = await this.slotFor(job, kind);
    if ('waitMs' in slot) return this.again(slot.waitMs, 'no free slot');
    try {
      return await this.attempt(job, contextOfJob(job, this.name));
    } finally {
      slot.release();
    }
  }

  private async slotFor({ data: { endpointId } }: ChainJob, kind: 'first' | 'retry'): Promise<Slot | { readonly waitMs: number }> {
    if (kind === 'first') return this.slots.enterOrWait(endpointId);
    return this.slots.enter(endpointId, this.breakers.isTripped(endpointId) ? 'doubtful' : 'retry');
  }

  /** A first attempt that is open already is only looked after, and one to an endpoint that takes none is given up at once. */
  private async heldMs({ data: { chainId, endpointId } }: ChainJob, to: Endpoint): Promise<number> {
    const waitMs = this.breakers.waitMs(endpointId);
    if (waitMs === 0) return 0;
    const { status } = await this.streams.state(chain, chainId);
    return status === 'waiting' && to.status === 'enabled' ? waitMs : 0;
  }

  private async attempt(job: ChainJob, context: Context): Promise<void | Again> {
    const begun = await this.startOrEndLost(job, context);
    if (!hasStarted(begun)) return this.follow(begun.state, job);
    const { state } = await this.attempts.carryOut(begun.state.facts, begun.state.open, context);
    return this.follow(state, job);
  }

  /** What another attempt has left open is ended first, when it is over; then this one starts. */
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

  /** An earlier run of this job is over for good: what it left open is lost. Anything else has its lease. */
  private async lose({ facts, open }: Sending, laterRun: LoseAttempt['laterRun'], context: Context): Promise<Chain> {
    const { attempt } = open;
    const command = { type: 'LoseAttempt', attempt, laterRun, retries: this.attempts.retries() } as const;
    return (await this.attempts.end(facts.chainId, command, step(context, 'lose', attempt))).state;
  }

  /** The job of the next attempt is put before this one is done, so that a crash in between loses neither. */
  private async follow(state: Chain, job: ChainJob): Promise<void | Again> {
    if (state.status === 'sending') return this.again(lookAgainMs(state), 'another attempt is open');
    if (state.status !== 'waiting') return;
    if (state.heldBy !== null) return this.again(LOOK_AGAIN_AT_HELD_MS, 'a replay job has the chain');
    const next = attemptJob(state.attempts, state.dueAt, job.data);
    if (next.key === job.key) return { again: next.due, why: 'not due yet' };
    await this.jobs.put([next]);
  }

  private async endLost(job: ChainJob): Promise<void | Again> {
    const found = await this.streams.state(chain, job.data.chainId);
    if (found.status !== 'sending') return;
    const { status } = await this.lose(found, null, contextOfJob(job, this.name));
    if (status === 'sending') return { again: found.open.leaseUntil, why: 'its lease has not ended' };
  }

  private again(waitMs: number, why: string): Again {
    return { again: iso(this.clock.now() + waitMs), why };
  }
}

function lookAgainMs({ open: { run } }: Sending): number {
  return run !== null && Dispatches.isOf(run) ? LOOK_AGAIN_AT_DISPATCHED_MS : LOOK_AGAIN_MS;
}

function hasStarted(outcome: Outcome<Chain>): outcome is Outcome<Sending> {
  return outcome.state.status === 'sending' && outcome.recorded.some(({ type }) => type === 'AttemptStarted');
}

import { Injectable } from '@nestjs/common';
import type { Reschedule } from '../../engine/registry.js';
import { describeError } from '../../engine/retrier.js';
import type { Outcome } from '../../engine/streams/command-execution.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import { deliveryChain } from '../domain/delivery-chain/delivery-chain.js';
import type { AttemptOwner, DeliveryChain, LoseAttempt, SendingChain } from '../domain/delivery-chain/facts.js';
import { endpoint, toEndpointState } from '../domain/endpoint.js';
import { Attempts } from './attempts.js';
import { type DeliveryJob, isSameAttempt, toAttemptJob } from './delivery-jobs.js';
import { DispatcherLease } from './dispatcher-lease.js';

const RECHECK_MS = 500;
/** For an attempt that another process sends without a job. */
const RECHECK_DISPATCHED_MS = 2_000;
/** For a chain that a replay job holds; that job makes the retry due when it releases the chain. */
const RECHECK_HELD_MS = 30_000;
const RETRY_AFTER_ERROR_MS = 5_000;

/** Makes the automatic attempt of a job that has a slot, and ends attempts that a dead process left open. */
@Injectable()
export class AutomaticAttempts {
  constructor(
    private readonly streams: Streams,
    private readonly attempts: Attempts,
    private readonly dispatcherLease: DispatcherLease,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async make(job: DeliveryJob, context: Context): Promise<void | Reschedule> {
    const outcome = await this.startAfterLost(job, context);
    if (!hasStarted(outcome)) return this.scheduleNext(outcome.state, job);
    const { state } = await this.attempts.carryOut(outcome.state.facts, outcome.state.open, context);
    return this.scheduleNext(state, job);
  }

  async endLostAttempt(job: DeliveryJob, context: Context): Promise<void | Reschedule> {
    const found = await this.streams.loadState(deliveryChain, job.data.chainId);
    if (found.status !== 'sending') return;
    const { status } = await this.lose(found, await this.dispatcherLease.findSuccessorOfOpen(found), context);
    if (status === 'sending') return this.rescheduleAfterLease(found.open, 'its process may still be sending it');
  }

  /**
   * Reschedules a job that failed while an attempt is open, since its next run ends that attempt, or while a store was
   * unavailable. Such a job is never set aside.
   */
  async handleError(job: DeliveryJob, error: unknown): Promise<Reschedule> {
    const canRetry =
      error instanceof StoreUnavailable ||
      (await this.streams.loadState(deliveryChain, job.data.chainId)).status === 'sending';
    if (!canRetry) throw error;
    return this.reschedule(RETRY_AFTER_ERROR_MS, describeError(error));
  }

  reschedule(waitMs: number, reason: string): Reschedule {
    return { at: toIso(this.clock.now() + waitMs), reason };
  }

  private rescheduleAfterLease({ leaseUntil }: SendingChain['open'], reason: string): Reschedule {
    const soon = this.reschedule(RECHECK_DISPATCHED_MS, reason);
    return leaseUntil > soon.at ? { at: leaseUntil, reason } : soon;
  }

  /** Starts the attempt. If a lost attempt is still open, ends that one first. */
  private async startAfterLost(job: DeliveryJob, context: Context): Promise<Outcome<DeliveryChain>> {
    const first = await this.start(job, createChildContext(context, 'start'));
    if (first.state.status !== 'sending' || hasStarted(first)) return first;

    const { status } = await this.lose(first.state, await this.findLaterOwner(first.state, job), context);
    if (status === 'sending') return first;
    return this.start(job, createChildContext(context, 'start after a lost one'));
  }

  private async start(job: DeliveryJob, context: Context): Promise<Outcome<DeliveryChain>> {
    const { chainId, endpointId } = job.data;
    const endpointState = toEndpointState(await this.streams.loadState(endpoint, endpointId));
    const owner = { job: job.key, attempt: job.attempt };
    const command = {
      type: 'StartAttempt',
      target: endpointState,
      leaseMs: this.attempts.leaseMsFor('automatic'),
      owner,
    } as const;
    return this.streams.execute(deliveryChain, chainId, command, context);
  }

  private async findLaterOwner({ open: { owner } }: SendingChain, job: DeliveryJob): Promise<AttemptOwner | null> {
    if (owner !== null && DispatcherLease.isDispatcher(owner)) return this.dispatcherLease.findSuccessor(owner);
    return { job: job.key, attempt: job.attempt };
  }

  /** Ends an attempt as lost when an earlier run of this job left it open. Any other attempt keeps its lease. */
  private async lose(
    { facts, open }: SendingChain,
    laterOwner: LoseAttempt['laterOwner'],
    context: Context,
  ): Promise<DeliveryChain> {
    const { attempt } = open;
    const command = { type: 'LoseAttempt', attempt, laterOwner, retries: this.attempts.drawRetryPolicy() } as const;
    return (await this.attempts.recordEnd(facts.chainId, command, createChildContext(context, 'lose', attempt))).state;
  }

  /** Enqueues the job of the next attempt before this job completes, so that a crash between the two loses neither. */
  private async scheduleNext(state: DeliveryChain, job: DeliveryJob): Promise<void | Reschedule> {
    if (state.status === 'sending') return this.reschedule(recheckMsFor(state), 'another attempt is open');
    if (state.status !== 'waiting') return;
    if (state.heldBy !== null) return this.reschedule(RECHECK_HELD_MS, 'a replay job holds the delivery chain');
    const next = toAttemptJob(state.attempts, state.dueAt, job.data);
    if (isSameAttempt(job, next)) return { at: next.due, reason: 'not due yet' };
    await this.jobs.enqueue([next]);
  }
}

function recheckMsFor({ open: { owner } }: SendingChain): number {
  return owner !== null && DispatcherLease.isDispatcher(owner) ? RECHECK_DISPATCHED_MS : RECHECK_MS;
}

function hasStarted(outcome: Outcome<DeliveryChain>): outcome is Outcome<SendingChain> {
  return outcome.state.status === 'sending' && outcome.recorded.some(({ type }) => type === 'AttemptStarted');
}

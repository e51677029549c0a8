import { Injectable } from '@nestjs/common';
import type { Reschedule } from '../../engine/registry.js';
import { describeError } from '../../engine/retrier.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import type { Job } from '../../kernel/jobs.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { AttemptOwner, DeliveryChain, SendingChain } from '../domain/delivery-chain/facts.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';
import { isReplayJobStopped, replayJobDecider } from '../domain/replay-job.js';
import { type AttemptRun, AttemptRunner } from './attempt-runner.js';
import { type ChainJobData, type DeliveryJob, isSameAttempt, toAutomaticJob } from './delivery-jobs.js';
import type { Destination } from './destinations.js';
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
    private readonly runner: AttemptRunner,
    private readonly dispatcherLease: DispatcherLease,
    private readonly clock: Clock,
  ) {}

  /** Enqueues the job of the next attempt before this job completes, so that a crash between the two loses neither. */
  async make(job: DeliveryJob, context: Context, destination: Destination | null): Promise<void | Reschedule> {
    const chain = await this.run(job, context, destination);
    if (chain.status === 'sending') return this.reschedule(recheckMsFor(chain), 'another attempt is open');
    if (chain.status !== 'waiting') return;
    if (chain.heldBy !== null) return this.reschedule(RECHECK_HELD_MS, 'a replay job holds the delivery chain');
    const isSame = isSameAttempt(job, toAutomaticJob(chain, job.data, chain.dueAt));
    if (isSame) return { at: chain.dueAt, reason: 'not due yet' };
    await this.runner.scheduleNext(chain, job.data);
  }

  /** Returns whether the replay job that planned this attempt has stopped. */
  async isCancelled({ data: { replayJobId } }: DeliveryJob): Promise<boolean> {
    if (replayJobId === undefined) return false;
    return isReplayJobStopped(await this.streams.loadState(replayJobDecider, replayJobId));
  }

  async endLostAttempt(job: Job<ChainJobData>, context: Context): Promise<void | Reschedule> {
    const found = await this.streams.loadState(deliveryChainDecider, job.data.chainId);
    if (found.status !== 'sending') return;
    const laterOwner = await this.dispatcherLease.findLaterOwner(found);
    const { state } = await this.runner.expire(job.data.chainId, found.open.attempt, laterOwner, context);
    if (state.status === 'sending') return this.rescheduleAfterLease(found.open, 'its process may still be sending it');
  }

  /**
   * Reschedules a job that failed while an attempt is open, since its next run ends that attempt, or while a store was
   * unavailable. Such a job is never set aside.
   */
  async handleError(job: Job<ChainJobData>, error: unknown): Promise<Reschedule> {
    const canRetry =
      error instanceof StoreUnavailable ||
      (await this.streams.loadState(deliveryChainDecider, job.data.chainId)).status === 'sending';
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

  /** Makes the attempt. If a lost attempt is still open, ends that one first. */
  private async run(job: DeliveryJob, context: Context, destination: Destination | null): Promise<DeliveryChain> {
    const first = await this.start(job, context, destination, 'start');
    const { state: chain } = await first.ended;
    if (first.hasStarted || chain.status !== 'sending') return chain;

    const laterOwner = await this.dispatcherLease.findLaterOwner(chain, toOwner(job));
    const { state: after } = await this.runner.expire(job.data.chainId, chain.open.attempt, laterOwner, context);
    if (after.status === 'sending') return chain;
    const second = await this.start(job, context, destination, 'start after a lost one');
    return (await second.ended).state;
  }

  private async start(
    job: DeliveryJob,
    context: Context,
    destination: Destination | null,
    label: string,
  ): Promise<AttemptRun> {
    const { chainId, endpointId } = job.data;
    const endpointState = toEndpointState(await this.streams.loadState(endpointDecider, endpointId));
    const leaseMs = this.runner.leaseMsFor('automatic');
    const isCancelled = await this.isCancelled(job);
    const command = { type: 'StartAttempt', endpointState, isCancelled, leaseMs, owner: toOwner(job) } as const;
    return this.runner.start({ chainId, command, context, label, destination });
  }
}

function toOwner({ key, attempt }: DeliveryJob): AttemptOwner {
  return { job: key, attempt };
}

function recheckMsFor({ open: { owner } }: SendingChain): number {
  return owner !== null && DispatcherLease.isDispatcher(owner) ? RECHECK_DISPATCHED_MS : RECHECK_MS;
}

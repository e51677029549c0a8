import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { limitDelays } from '../../engine/reactors/job-delays.js';
import { JobRunner } from '../../engine/reactors/job-runner.js';
import type { JobHandler, Reschedule } from '../../engine/registry.js';
import { Retrier } from '../../engine/retrier.js';
import { Streams } from '../../engine/streams/streams.js';
import { reportFailure } from '../../kernel/background-errors.js';
import { Clock, Random, toIso } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import { ProcessId } from '../../kernel/process-id.js';
import { Admission, type Entry } from '../delivery/admission.js';
import { AutomaticAttempts } from '../delivery/automatic-attempts.js';
import {
  attemptQueueOf,
  BACKLOG_QUEUES,
  type BacklogId,
  type BacklogJob,
  type BacklogKind,
  Backlogs,
  type BacklogWait,
  FOLLOW_UP_MS,
  NOTHING_DUE,
  workKeyOf,
} from '../delivery/backlogs.js';
import { contextForJob, type DeliveryJob, MAX_DELAYS } from '../delivery/delivery-jobs.js';
import { type Destination, findDestination } from '../delivery/destinations.js';
import { toReceiver } from '../delivery/receiver.js';
import { type Delay, NO_SLOT, type Slot } from '../delivery/slot.js';
import { findDropReason } from '../domain/delivery-chain/attempt-drop.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { DeliveryChain, EndpointState } from '../domain/delivery-chain/facts.js';
import { endpointDecider, toEndpointState } from '../domain/endpoint.js';

/** Each backlog has at most as many open attempts as its endpoint has slots. */
const BACKLOG_CONCURRENCY = 1_000;
/** Limits a run, so that other backlogs get their turn. */
const MAX_RUN_MS = 30_000;
/** Limited, since the endpoint may change, or another process may add to the backlog. */
const MAX_IDLE_MS = 30_000;
const POLL_MS = 250;

/** `NO_SLOT` for a job that sends nothing. */
type AttemptSlot = Entry | typeof NO_SLOT;

/** Sends the backlogs of endpoints, the oldest attempt first, as fast as the limits of each endpoint allow. */
@Injectable()
export class WorkOnBacklogs implements BeforeApplicationShutdown {
  readonly name = 'work-on-backlogs';
  readonly handlers: readonly JobHandler<BacklogJob['data']>[];
  private readonly jobRuns: JobRunner;
  private readonly closing = new AbortController();

  constructor(
    private readonly streams: Streams,
    private readonly attempts: AutomaticAttempts,
    private readonly backlogs: Backlogs,
    private readonly admission: Admission,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    random: Random,
    holder: ProcessId,
  ) {
    this.jobRuns = new JobRunner(
      { jobs, clock, random, processId: holder.value },
      new Retrier(clock, random, { kind: 'job', name: this.name }),
    );
    const run = (job: BacklogJob) =>
      job.data.afterJobId === undefined ? this.work(job) : this.followUp(job, job.data.afterJobId);
    const [concurrency, maxDelayMs] = [BACKLOG_CONCURRENCY, MAX_DELAYS.first];
    this.handlers = Object.values(BACKLOG_QUEUES).map((queue) => ({ queue, concurrency, maxDelayMs, run }));
  }

  beforeApplicationShutdown(): void {
    this.closing.abort('closing');
  }

  private async work(job: BacklogJob): Promise<void | Reschedule> {
    const { data: backlog } = job;
    const openAttempts = new Set<Promise<void>>();
    const pause = await this.sendDue(backlog, openAttempts).finally(() => Promise.all(openAttempts));
    if (pause !== null) return this.reschedule(pause.waitMs, pause.reason);
    await limitDelays(this.jobs, attemptQueueOf(backlog).name, this.clock.now(), MAX_DELAYS[backlog.kind]);
    const next = await this.backlogs.findNextDue(backlog);
    return next === null ? this.enqueueFollowUp(job) : this.rescheduleIdle(job, Date.parse(next) - this.clock.now());
  }

  private async rescheduleIdle(job: BacklogJob, idleMs: number): Promise<Reschedule> {
    if (idleMs > FOLLOW_UP_MS) await this.enqueueFollowUp(job);
    return this.reschedule(idleMs, NOTHING_DUE);
  }

  /** Sends until nothing is due and returns null, or until the run must pause. */
  private async sendDue(backlog: BacklogId, openAttempts: Set<Promise<void>>): Promise<Delay | null> {
    const queue = attemptQueueOf(backlog);
    const until = this.clock.monotonic() + MAX_RUN_MS;
    while (this.clock.monotonic() < until && !this.closing.signal.aborted) {
      const activity = this.backlogs.markActive(backlog);
      const [job] = (await this.jobRuns.claim(queue.name, 1)).map(queue.readJob);
      if (job === undefined) {
        this.backlogs.markEmpty(backlog, activity);
        if (openAttempts.size === 0) return null;
        await this.clock.sleep(POLL_MS);
      } else {
        const slot = await this.acquireSlot(job, backlog).catch(rethrowIfUnavailable);
        if ('waitMs' in slot) return this.returnToHead(job, slot, backlog);
        const ended = this.startAttempt(job, backlog.kind, slot, openAttempts);
        // Jobs that send nothing run one after another.
        if (slot === NO_SLOT) await ended;
      }
    }
    return { waitMs: 0, reason: this.admission.isDelayedByRate(backlog.endpointId) ? 'rate' : 'backlog' };
  }

  private async acquireSlot(job: DeliveryJob, { endpointId, kind }: BacklogId): Promise<AttemptSlot> {
    const { chainId } = job.data;
    if (await this.attempts.isCancelled(job)) return NO_SLOT;
    const [endpoint, found] = await Promise.all([
      this.streams.loadState(endpointDecider, endpointId),
      this.streams.loadState(deliveryChainDecider, chainId),
    ]);
    if (!('settings' in endpoint) || !needsSlot(found, toEndpointState(endpoint), toIso(this.clock.now())))
      return NO_SLOT;
    const receiver = toReceiver(endpointId, endpoint.settings);
    return this.admission.enterFromBacklog(receiver, kind, found.status === 'sending', this.closing.signal);
  }

  /** Returns the job to the head of the backlog, which no later attempt may overtake during the pause. */
  private async returnToHead(job: DeliveryJob, pause: Delay, backlog: BacklogId): Promise<Delay> {
    this.backlogs.markActive(backlog, Math.min(pause.waitMs, MAX_IDLE_MS));
    await this.jobs.reschedule(job, job.due, pause.reason);
    return pause;
  }

  private startAttempt(
    job: DeliveryJob,
    kind: BacklogKind,
    slot: Slot | Destination,
    openAttempts: Set<Promise<void>>,
  ): Promise<void> {
    const ended = this.jobRuns
      .run(job, () => this.makeAttempt(job, kind, findDestination(slot)), this.closing.signal)
      .finally(() => {
        openAttempts.delete(ended);
        slot.release();
      });
    openAttempts.add(ended);
    return ended;
  }

  /** Isolates a job that throws: at the head of the backlog it would throw again and block the others. */
  private async makeAttempt(
    job: DeliveryJob,
    kind: BacklogKind,
    destination: Destination | null,
  ): Promise<void | Reschedule> {
    try {
      return await this.attempts
        .make(job, contextForJob(job, this.name), destination)
        .catch((error: unknown) => this.attempts.handleError(job, error));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      reportFailure({ kind: 'job', name: this.name, item: job.key }, error);
      await this.backlogs.isolate(job, kind);
    }
  }

  /**
   * Enqueues a job that checks the backlog again. An attempt that is added while this job ends cannot wake this job.
   */
  private async enqueueFollowUp({ id, data }: BacklogJob): Promise<void> {
    await this.jobs.enqueue([this.backlogs.toFollowUpJob(data, id)]);
  }

  private async followUp({ data }: BacklogJob, id: string): Promise<void | Reschedule> {
    const backlog = { endpointId: data.endpointId, kind: data.kind };
    const previous = await this.jobs.find(workKeyOf(backlog));
    if (previous?.id === id && previous.status === 'running')
      return this.attempts.reschedule(FOLLOW_UP_MS, 'the previous job has not ended');
    if (data.wakes) return void (await this.backlogs.makeWorkDue(backlog));
    const next = await this.backlogs.findNextDue(backlog);
    if (next === null) return;
    await this.jobs.enqueue([this.backlogs.toWorkJob(backlog)]);
    await this.backlogs.bringForward(backlog, next);
  }

  private reschedule(waitMs: number, reason: BacklogWait): Reschedule {
    return this.attempts.reschedule(Math.min(Math.max(0, waitMs), MAX_IDLE_MS), reason);
  }
}

/** Lets a job run whose state cannot be read: its run then throws the same error. */
function rethrowIfUnavailable(error: unknown): AttemptSlot {
  if (error instanceof StoreUnavailable) throw error;
  return NO_SLOT;
}

/**
 * Returns false for a chain that sends nothing: it has ended, a replay job holds it, or its attempt is to be abandoned.
 */
function needsSlot(found: DeliveryChain, endpointState: EndpointState, now: string): boolean {
  if (found.status !== 'waiting') return found.status === 'sending';
  return found.heldBy === null && findDropReason(found, endpointState, now) === null;
}

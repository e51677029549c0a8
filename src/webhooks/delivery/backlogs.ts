import { Injectable } from '@nestjs/common';
import { KeyedBatcher } from '../../engine/keyed-batcher.js';
import { LruCache } from '../../engine/lru-cache.js';
import { addMs, Clock, toIso } from '../../kernel/clock.js';
import { type Job, type JobDetails, Jobs, type NewJob } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { PAUSE_REASONS, type PauseReason } from '../domain/pause-reasons.js';
import {
  BACKFILL_QUEUE,
  type DeliveryJob,
  type DeliveryQueue,
  FIRST_ATTEMPT_QUEUE,
  listAttemptJobKeys,
  moveTo,
  type NewDeliveryJob,
  RETRY_QUEUE,
} from './delivery-jobs.js';

const MAX_CACHED_BACKLOGS = 10_000;
/** Limited, since another process may have emptied the backlog. */
const ACTIVE_MS = 10_000;
/** The delay after a run has ended or become idle. */
export const FOLLOW_UP_MS = 1_000;

/**
 * The reason of a backlog's job that waits because every attempt in the backlog is due later. An earlier attempt may
 * bring that job forward; a job that waits for a slot may not be brought forward.
 */
export const NOTHING_DUE = 'nothing is due';

/** The cause of the wait of a backlog, which is the `error` of its job. */
export type BacklogWait = PauseReason | typeof NOTHING_DUE;
const WAITS: readonly BacklogWait[] = [...PAUSE_REASONS, NOTHING_DUE];

/** `backfill`: the first attempts that a replay job has planned, which never delay those of new events. */
const KINDS = ['first', 'retry', 'backfill'] as const;
export type BacklogKind = (typeof KINDS)[number];

/** The queues of the attempts. Each backlog has its own queue, whose name begins with one of these names. */
const ATTEMPT_QUEUES = { first: FIRST_ATTEMPT_QUEUE, retry: RETRY_QUEUE, backfill: BACKFILL_QUEUE } as const;
/** The queues of the attempts that have left a backlog after an error. */
const ISOLATED_QUEUES = { ...ATTEMPT_QUEUES, backfill: FIRST_ATTEMPT_QUEUE } as const;

export interface BacklogId {
  readonly endpointId: string;
  readonly kind: BacklogKind;
}

/** A time in which attempts wait in a backlog. */
export interface Activity {
  readonly until: number;
}

interface Addition {
  readonly job: NewDeliveryJob;
  readonly backlog: BacklogId;
}

/**
 * `afterJobId`: a job of the backlog that runs and may end or wait without a look at the latest change. This job checks
 * the backlog again after that one. `wakes`: that one goes on then, even if it waits for a slot.
 */
type BacklogJobData = BacklogId & { readonly afterJobId?: string; readonly wakes?: boolean };

export type BacklogJob = Job<BacklogJobData>;

/** The queues of the jobs that send the backlogs. */
export const BACKLOG_QUEUES = {
  first: declareQueue<BacklogJobData>({ name: 'delivery-backlogs' }),
  retry: declareQueue<BacklogJobData>({ name: 'delivery-retry-backlogs' }),
  backfill: declareQueue<BacklogJobData>({ name: 'delivery-backfill-backlogs' }),
} as const;

/**
 * The due automatic attempts of an endpoint for which no slot is free soon. Each endpoint has its own queue and one job
 * that sends it, so any number of waiting attempts costs a single job.
 */
@Injectable()
export class Backlogs {
  private readonly activities = new LruCache<string, Activity>(MAX_CACHED_BACKLOGS);
  /** The last job that `append` put at the end of each backlog. */
  private readonly lastJobs = new LruCache<string, NewDeliveryJob>(MAX_CACHED_BACKLOGS);
  private readonly additions = new KeyedBatcher<Addition, void>((_, additions) => this.enqueue(additions));

  constructor(
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an attempt to the backlog, at the place of its due time, and enqueues the job that sends the backlog. If that
   * job is ending or about to wait, it has already enqueued another job that checks the backlog again. Stores attempts
   * in the order of the calls; new attempts must follow this one at once.
   */
  add(job: NewDeliveryJob, kind: BacklogKind): Promise<void> {
    const backlog = { endpointId: job.data.endpointId, kind };
    this.markActive(backlog);
    return this.additions.run(queueOf(backlog), { job, backlog });
  }

  /** Adds a first attempt at the end of the backlog: after all that this process has appended before. */
  append(job: NewDeliveryJob): Promise<void> {
    const queue = queueOf({ endpointId: job.data.endpointId, kind: 'first' });
    const last = this.lastJobs.get(queue);
    const appended = last === undefined ? job : putAfter(last, job);
    this.lastJobs.set(queue, appended);
    return this.add(appended, 'first');
  }

  /** Adds first attempts that a replay job has planned. Their due times give their order. */
  async addBackfill(endpointId: string, jobs: readonly NewDeliveryJob[]): Promise<void> {
    const backlog = { endpointId, kind: 'backfill' } as const;
    if (jobs.length > 0) await this.enqueue(jobs.map((job) => ({ job, backlog })));
  }

  private async enqueue(additions: readonly Addition[]): Promise<void> {
    const { backlog, job: first } = additions[0]!;
    const queue = attemptQueueOf(backlog);
    await this.jobs.enqueue([...additions.map(({ job }) => moveTo('backlog', job, queue)), this.toWorkJob(backlog)]);
    const due = additions.reduce((earliest, { job }) => (job.due < earliest ? job.due : earliest), first.due);
    await this.bringForward(backlog, due);
  }

  /** Makes the waiting jobs of a late attempt due, in every queue. Returns false when no such job waits. */
  async makeDue(job: NewDeliveryJob): Promise<boolean> {
    const released = await Promise.all(listAttemptJobKeys(job).map((key) => this.jobs.release(key, job.due)));
    if (!released.includes(true)) return false;
    const kind = job.queue === FIRST_ATTEMPT_QUEUE.name ? 'first' : 'retry';
    await this.bringForward({ endpointId: job.data.endpointId, kind }, job.due);
    return true;
  }

  /** Brings the job of the backlog forward to `due` if that job waits for a later time because nothing was due. */
  async bringForward(backlog: BacklogId, due: string): Promise<void> {
    const found = await this.jobs.find(workKeyOf(backlog));
    if (found?.status !== 'waiting' || findWait(found) !== NOTHING_DUE) return;
    const canBringForward = found.due > due && found.due > toIso(this.clock.now());
    if (canBringForward) await this.jobs.release(found.key, due);
  }

  /** Returns true when this process has seen attempts in the backlog lately, so that new attempts must join it. */
  isActive(backlog: BacklogId): boolean {
    return (this.activities.get(queueOf(backlog))?.until ?? -Infinity) > this.clock.monotonic();
  }

  /** New attempts must join the backlog for some seconds, and at least for `forMs`. */
  markActive(backlog: BacklogId, forMs = 0): Activity {
    const activity = { until: this.clock.monotonic() + forMs + ACTIVE_MS };
    this.activities.set(queueOf(backlog), activity);
    return activity;
  }

  /** Ends this activity, unless an attempt has been added since it began. */
  markEmpty(backlog: BacklogId, activity: Activity): void {
    if (this.activities.get(queueOf(backlog)) === activity) this.activities.delete(queueOf(backlog));
  }

  /** Returns when the next attempt is due; null when the backlog holds no attempt, waiting or running. */
  findNextDue(backlog: BacklogId): Promise<string | null> {
    return this.jobs.findNextDue(queueOf(backlog));
  }

  /** Counts the waiting attempts in the backlogs of the endpoint. A store may stop at some thousands. */
  async countWaiting(endpointId: string, kinds: readonly BacklogKind[] = KINDS): Promise<number> {
    const queues = kinds.map((kind) => queueOf({ endpointId, kind }));
    return (await this.jobs.readQueueStats(queues)).reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Returns why the jobs of the backlogs last paused; null without a pause. */
  async findPauseReason(endpointId: string): Promise<PauseReason | null> {
    const jobs = await Promise.all(KINDS.map((kind) => this.jobs.find(workKeyOf({ endpointId, kind }))));
    const waits = jobs.map(findWait);
    return PAUSE_REASONS.find((reason) => waits.includes(reason)) ?? null;
  }

  /** Moves an attempt that throws out of the backlog: its job is then tried, and set aside, on its own. */
  isolate(job: DeliveryJob, kind: BacklogKind): Promise<void> {
    return this.jobs.enqueue([moveTo('isolated', job, ISOLATED_QUEUES[kind])]);
  }

  /**
   * Makes the jobs of the endpoint's backlogs due now, since the endpoint has changed. A job that runs may have read the
   * endpoint before the change and be about to wait: it is made due after its run.
   */
  async wake(endpointId: string): Promise<void> {
    for (const kind of KINDS) {
      const backlog = { endpointId, kind };
      if (await this.makeWorkDue(backlog)) continue;
      const running = await this.jobs.find(workKeyOf(backlog));
      if (running !== null) await this.jobs.enqueue([this.toFollowUpJob(backlog, running.id, { wakes: true })]);
    }
  }

  /** Makes the job of the backlog due now. Returns false when no job waits. */
  makeWorkDue(backlog: BacklogId): Promise<boolean> {
    return this.jobs.release(workKeyOf(backlog), toIso(this.clock.now()));
  }

  toWorkJob(backlog: BacklogId): NewJob {
    const job = { key: workKeyOf(backlog), due: toIso(this.clock.now()), data: backlog };
    return BACKLOG_QUEUES[backlog.kind].createJob(job);
  }

  /** Creates the job that checks the backlog after this job of it, or makes that one due even if it waits for a slot. */
  toFollowUpJob({ endpointId, kind }: BacklogId, afterJobId: string, { wakes = false } = {}): NewJob {
    const backlog = { endpointId, kind };
    return BACKLOG_QUEUES[kind].createJob({
      key: `${workKeyOf(backlog)}:${wakes ? 'wake' : 'after'}:${afterJobId}`,
      due: toIso(this.clock.now() + FOLLOW_UP_MS),
      data: { ...backlog, afterJobId, ...(wakes && { wakes }) },
    });
  }
}

function findWait(job: JobDetails | null): BacklogWait | null {
  return WAITS.find((wait) => wait === job?.error) ?? null;
}

/** Makes the job due later if necessary, so that it follows the other one. */
function putAfter(last: NewDeliveryJob, job: NewDeliveryJob): NewDeliveryJob {
  const sameDue = { ...job, due: last.due };
  return [job, sameDue].find((candidate) => isBefore(last, candidate)) ?? { ...job, due: addMs(last.due, 1) };
}

/** Compares two jobs as stores order them. */
function isBefore(earlier: NewDeliveryJob, later: NewDeliveryJob): boolean {
  return earlier.due === later.due ? earlier.key < later.key : earlier.due < later.due;
}

export function attemptQueueOf({ endpointId, kind }: BacklogId): DeliveryQueue {
  return ATTEMPT_QUEUES[kind].subqueue(endpointId);
}

function queueOf(backlog: BacklogId): string {
  return attemptQueueOf(backlog).name;
}

export function workKeyOf(backlog: BacklogId): string {
  return `backlog:${queueOf(backlog)}`;
}

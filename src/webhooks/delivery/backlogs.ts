import { Injectable } from '@nestjs/common';
import { LruCache } from '../../engine/lru-cache.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Job, Jobs, type NewJob } from '../../kernel/jobs.js';
import {
  type DeliveryJob,
  FIRST_ATTEMPT_QUEUE,
  listAttemptJobKeys,
  type NewDeliveryJob,
  RETRY_QUEUE,
  toBacklogAttemptJob,
  toIsolatedAttemptJob,
} from './delivery-jobs.js';

const MAX_CACHED_BACKLOGS = 10_000;
/** Limited, since another process may have emptied the backlog. */
const ACTIVE_MS = 10_000;

/**
 * The reason of a backlog's job that waits because every attempt in the backlog is due later. An earlier attempt may
 * bring that job forward; a job that waits for a slot may not be brought forward.
 */
export const NOTHING_DUE = 'nothing is due';

export type BacklogKind = 'first' | 'retry';

const KINDS: readonly BacklogKind[] = ['first', 'retry'];
/** The queues of the attempts. Each backlog has its own queue, whose name begins with one of these names. */
const ATTEMPT_QUEUES = { first: FIRST_ATTEMPT_QUEUE, retry: RETRY_QUEUE } as const;
/** The queues of the jobs that send the backlogs. */
export const BACKLOG_QUEUES = { first: 'delivery-backlogs', retry: 'delivery-retry-backlogs' } as const;

export interface BacklogId {
  readonly endpointId: string;
  readonly kind: BacklogKind;
}

/**
 * `afterJobId`: the job that found the backlog empty and is ending. This job checks the backlog again after that one.
 */
export type BacklogJob = Job & { readonly data: BacklogId & { readonly afterJobId?: string } };

/**
 * The due automatic attempts of an endpoint for which no slot is free soon. Each endpoint has its own queue and one job
 * that sends it, so any number of waiting attempts costs a single job.
 */
@Injectable()
export class Backlogs {
  /** The time until which each backlog counts as active. */
  private readonly activeUntil = new LruCache<string, number>(MAX_CACHED_BACKLOGS);

  constructor(
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends an attempt to the backlog and enqueues the job that sends the backlog. If that job is ending or about to
   * wait, it has already enqueued another job that checks the backlog again.
   */
  async add(job: NewDeliveryJob, kind: BacklogKind): Promise<void> {
    const backlog = { endpointId: job.data.endpointId, kind };
    await this.jobs.enqueue([toBacklogAttemptJob(job, queueOf(backlog)), this.toWorkJob(backlog)]);
    if (!this.isActive(backlog)) this.markActive(backlog);
    await this.bringForward(backlog, job.due);
  }

  /** Makes the waiting jobs of a late attempt due, in every queue. Returns false when no such job waits. */
  async makeDue(job: NewDeliveryJob): Promise<boolean> {
    const released = await Promise.all(listAttemptJobKeys(job).map((key) => this.jobs.release(key, job.due)));
    if (!released.includes(true)) return false;
    const kind = job.queue === FIRST_ATTEMPT_QUEUE ? 'first' : 'retry';
    await this.bringForward({ endpointId: job.data.endpointId, kind }, job.due);
    return true;
  }

  /** Brings the job of the backlog forward to `due` if that job waits for a later time because nothing was due. */
  async bringForward(backlog: BacklogId, due: string): Promise<void> {
    const found = await this.jobs.find(workKeyOf(backlog));
    if (found?.status !== 'waiting' || found.error !== NOTHING_DUE) return;
    const canBringForward = found.due > due && found.due > toIso(this.clock.now());
    if (canBringForward) await this.jobs.release(found.key, due);
  }

  /** Returns true when this process has seen attempts in the backlog lately, so that new attempts must join it. */
  isActive(backlog: BacklogId): boolean {
    return (this.activeUntil.get(queueOf(backlog)) ?? -Infinity) > this.clock.monotonic();
  }

  markActive(backlog: BacklogId): void {
    this.activeUntil.set(queueOf(backlog), this.clock.monotonic() + ACTIVE_MS);
  }

  markEmpty(backlog: BacklogId): void {
    this.activeUntil.delete(queueOf(backlog));
  }

  /** Returns when the next attempt is due; null when the backlog holds no attempt, waiting or running. */
  findNextDue(backlog: BacklogId): Promise<string | null> {
    return this.jobs.findNextDue(queueOf(backlog));
  }

  /** Moves an attempt that throws out of the backlog: its job is then tried, and set aside, on its own. */
  isolate(job: DeliveryJob, kind: BacklogKind): Promise<void> {
    return this.jobs.enqueue([toIsolatedAttemptJob(job, ATTEMPT_QUEUES[kind])]);
  }

  /** Makes the jobs of the endpoint's backlogs due now, since the endpoint has changed. */
  async wake(endpointId: string): Promise<void> {
    const now = toIso(this.clock.now());
    for (const kind of KINDS) await this.jobs.release(workKeyOf({ endpointId, kind }), now);
  }

  toWorkJob(backlog: BacklogId): NewJob {
    return {
      key: workKeyOf(backlog),
      queue: BACKLOG_QUEUES[backlog.kind],
      due: toIso(this.clock.now()),
      data: backlog,
    };
  }
}

export function queueOf({ endpointId, kind }: BacklogId): string {
  return `${ATTEMPT_QUEUES[kind]}:${endpointId}`;
}

export function workKeyOf(backlog: BacklogId): string {
  return `backlog:${queueOf(backlog)}`;
}

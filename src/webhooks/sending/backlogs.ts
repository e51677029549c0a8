import { Injectable } from '@nestjs/common';
import { Recent } from '../../engine/recent.js';
import { Clock, iso } from '../../kernel/clock.js';
import { Jobs, type Job, type NewJob } from '../../kernel/jobs.js';
import { FIRST_ATTEMPTS, inBacklog, jobsOf, outOfBacklog, RETRIES, type ChainJob, type NewChainJob } from './chain-jobs.js';

const KNOWN_BACKLOGS = 10_000;
/** Limited, since another process may have emptied the backlog. */
const KNOWN_FOR_MS = 10_000;

/**
 * The reason of a backlog's job that waits because every attempt in the backlog is due later. An earlier attempt may
 * bring that job forward; a job that waits for a slot may not be brought forward.
 */
export const NOTHING_DUE = 'nothing is due';

export type BacklogKind = 'first' | 'retry';

const KINDS: readonly BacklogKind[] = ['first', 'retry'];
/** The queues of the attempts. Each backlog has its own queue, whose name begins with one of these names. */
const QUEUES = { first: FIRST_ATTEMPTS, retry: RETRIES } as const;
/** The queues of the jobs that send the backlogs. */
export const BACKLOG_QUEUES = { first: 'delivery-backlogs', retry: 'delivery-retry-backlogs' } as const;

export interface BacklogId {
  readonly endpointId: string;
  readonly kind: BacklogKind;
}

/**
 * `afterJobId`: the job that found the backlog empty and is ending. This job checks the backlog again after that one.
 */
export type BacklogJob = Job & { readonly data: BacklogId & { readonly after?: string } };

/**
 * The due automatic attempts of an endpoint for which no slot is free soon. Each endpoint has its own queue and one job
 * that sends it, so any number of waiting attempts costs a single job.
 */
@Injectable()
export class Backlogs {
  /** The time until which each backlog counts as active. */
  private readonly known = new Recent<string, number>(KNOWN_BACKLOGS);

  constructor(
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends an attempt to the backlog and enqueues the job that sends the backlog. If that job is ending or about to
   * wait, it has already enqueued another job that checks the backlog again.
   */
  async add(job: NewChainJob, kind: BacklogKind): Promise<void> {
    const backlog = { endpointId: job.data.endpointId, kind };
    await this.jobs.put([inBacklog(job, queueOf(backlog)), this.workOn(backlog)]);
    if (!this.isKnown(backlog)) this.saw(backlog);
    await this.endRest(backlog, job.due);
  }

  /** Makes the waiting jobs of a late attempt due, in every queue. Returns false when no such job waits. */
  async callBack(job: NewChainJob): Promise<boolean> {
    const released = await Promise.all(jobsOf(job).map((key) => this.jobs.release(key, job.due)));
    if (!released.includes(true)) return false;
    const kind = job.queue === FIRST_ATTEMPTS ? 'first' : 'retry';
    await this.endRest({ endpointId: job.data.endpointId, kind }, job.due);
    return true;
  }

  /** Brings the job of the backlog forward to `due` if that job waits for a later time because nothing was due. */
  async endRest(backlog: BacklogId, due: string): Promise<void> {
    const found = await this.jobs.find(workKeyOf(backlog));
    if (found?.status !== 'waiting' || found.error !== NOTHING_DUE) return;
    const rests = found.due > due && found.due > iso(this.clock.now());
    if (rests) await this.jobs.release(found.key, due);
  }

  /** Returns true when this process has seen attempts in the backlog lately, so that new attempts must join it. */
  isKnown(backlog: BacklogId): boolean {
    return (this.known.get(queueOf(backlog)) ?? -Infinity) > this.clock.monotonic();
  }

  saw(backlog: BacklogId): void {
    this.known.set(queueOf(backlog), this.clock.monotonic() + KNOWN_FOR_MS);
  }

  sawNone(backlog: BacklogId): void {
    this.known.delete(queueOf(backlog));
  }

  /** Returns when the next attempt is due; null when the backlog holds no attempt, waiting or running. */
  nextDue(backlog: BacklogId): Promise<string | null> {
    return this.jobs.nextDue(queueOf(backlog));
  }

  /** Moves an attempt that throws out of the backlog: its job is then tried, and set aside, on its own. */
  takeOut(job: ChainJob, kind: BacklogKind): Promise<void> {
    return this.jobs.put([outOfBacklog(job, QUEUES[kind])]);
  }

  /** Makes the jobs of the endpoint's backlogs due now, since the endpoint has changed. */
  async wake(endpointId: string): Promise<void> {
    const now = iso(this.clock.now());
    for (const kind of KINDS) await this.jobs.release(workKeyOf({ endpointId, kind }), now);
  }

  workOn(backlog: BacklogId): NewJob {
    return { key: workKeyOf(backlog), queue: BACKLOG_QUEUES[backlog.kind], due: iso(this.clock.now()), data: backlog };
  }
}

export function queueOf({ endpointId, kind }: BacklogId): string {
  return `${QUEUES[kind]}:${endpointId}`;
}

export function workKeyOf(backlog: BacklogId): string {
  return `backlog:${queueOf(backlog)}`;
}

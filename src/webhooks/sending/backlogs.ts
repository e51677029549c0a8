import { Injectable } from '@nestjs/common';
import { Recent } from '../../engine/recent.js';
import { Clock, iso } from '../../kernel/clock.js';
import { Jobs, type Job, type NewJob } from '../../kernel/jobs.js';
import { FIRST_ATTEMPTS, inBacklog, jobsOf, outOfBacklog, RETRIES, type ChainJob, type NewChainJob } from './chain-jobs.js';

const KNOWN_BACKLOGS = 10_000;
/** Another process may have ended the backlog meanwhile. */
const KNOWN_FOR_MS = 10_000;

/** Why the job of a backlog rests when everything in it has a later time. Such a rest may be cut short; one for want of a slot may not. */
export const NOTHING_DUE = 'nothing is due';

export type BacklogKind = 'first' | 'retry';

const KINDS: readonly BacklogKind[] = ['first', 'retry'];
/** Of the attempts themselves. A backlog has a queue of its own, whose name begins with this one. */
const QUEUES = { first: FIRST_ATTEMPTS, retry: RETRIES } as const;
/** Of the jobs that work on backlogs. */
export const BACKLOG_QUEUES = { first: 'delivery-backlogs', retry: 'delivery-retry-backlogs' } as const;

export interface BacklogId {
  readonly endpointId: string;
  readonly kind: BacklogKind;
}

/** `after`: the job that has found the backlog empty and is ending; this one looks once more when that one is gone. */
export type BacklogJob = Job & { readonly data: BacklogId & { readonly after?: string } };

/**
 * The automatic attempts of an endpoint that are due and have no slot soon: a queue for each endpoint, on which one job works. However
 * many wait, they cost that one job.
 */
@Injectable()
export class Backlogs {
  /** Until when each is taken to be there. */
  private readonly known = new Recent<string, number>(KNOWN_BACKLOGS);

  constructor(
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Puts an attempt behind those that wait, and with it the job that works on them. The latter may be ending, or about to rest: it has put
   * one before that looks again afterwards.
   */
  async add(job: NewChainJob, kind: BacklogKind): Promise<void> {
    const backlog = { endpointId: job.data.endpointId, kind };
    await this.jobs.put([inBacklog(job, queueOf(backlog)), this.workOn(backlog)]);
    if (!this.isKnown(backlog)) this.saw(backlog);
    await this.endRest(backlog, job.due);
  }

  /** Makes the jobs of a late attempt due, wherever they wait. False when there is none that nobody runs. */
  async callBack(job: NewChainJob): Promise<boolean> {
    const released = await Promise.all(jobsOf(job).map((key) => this.jobs.release(key, job.due)));
    if (!released.includes(true)) return false;
    const kind = job.queue === FIRST_ATTEMPTS ? 'first' : 'retry';
    await this.endRest({ endpointId: job.data.endpointId, kind }, job.due);
    return true;
  }

  /** Something is due at that time. The job of the backlog looks at it then, when it rests until later because nothing was due. */
  async endRest(backlog: BacklogId, due: string): Promise<void> {
    const found = await this.jobs.find(workKeyOf(backlog));
    if (found?.status !== 'waiting' || found.error !== NOTHING_DUE) return;
    const rests = found.due > due && found.due > iso(this.clock.now());
    if (rests) await this.jobs.release(found.key, due);
  }

  /** Whether newcomers stand in line behind it. What another process has seen is not known here. */
  isKnown(backlog: BacklogId): boolean {
    return (this.known.get(queueOf(backlog)) ?? -Infinity) > this.clock.monotonic();
  }

  saw(backlog: BacklogId): void {
    this.known.set(queueOf(backlog), this.clock.monotonic() + KNOWN_FOR_MS);
  }

  sawNone(backlog: BacklogId): void {
    this.known.delete(queueOf(backlog));
  }

  /** When something of it is to be done; null when there is nothing left, under way or not. */
  nextDue(backlog: BacklogId): Promise<string | null> {
    return this.jobs.nextDue(queueOf(backlog));
  }

  /** For an attempt that meets a fault: from now on its job is tried, and set aside, by itself. */
  takeOut(job: ChainJob, kind: BacklogKind): Promise<void> {
    return this.jobs.put([outOfBacklog(job, QUEUES[kind])]);
  }

  /** Something has changed at the endpoint: its backlogs are looked at now. */
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

import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Patience } from '../../engine/patience.js';
import { JobRuns } from '../../engine/reacting/job-runs.js';
import type { Again, JobHandler } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso, Random } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Holder } from '../../kernel/holder.js';
import { Jobs } from '../../kernel/jobs.js';
import { chain, type Chain } from '../domain/chain.js';
import { endpoint, targetOf } from '../domain/endpoint.js';
import { reasonToDrop, type Target } from '../domain/target.js';
import { AutomaticAttempts } from '../sending/automatic-attempts.js';
import {
  BACKLOG_QUEUES,
  Backlogs,
  NOTHING_DUE,
  queueOf,
  workKeyOf,
  type BacklogId,
  type BacklogJob,
  type BacklogKind,
} from '../sending/backlogs.js';
import { Breakers } from '../sending/breakers.js';
import { contextOfJob, type ChainJob } from '../sending/chain-jobs.js';
import { Slots, type Slot } from '../sending/slots.js';

/** Each backlog has at most as many open attempts as its endpoint has slots. */
const BACKLOGS_AT_ONCE = 250;
/** Limits a run, so that other backlogs get their turn. */
const RUN_MS = 30_000;
/** The longest wait of a run for one slot. */
const SLOT_PATIENCE_MS = 2_000;
/** Limited, since the endpoint may change, or another process may add to the backlog. */
const LONGEST_REST_MS = 30_000;
const LOOK_AGAIN_MS = 250;
/** The delay after a run has ended or become idle. */
const LOOK_AFTER_MS = 1_000;
/** For a job that sends nothing; such jobs run one after another. */
const NO_SLOT: Slot = { release: () => undefined };

type Turn = Slot | { readonly waitMs: number };

/** Sends the backlogs of endpoints, the oldest attempt first, as fast as the limits of each endpoint allow. */
@Injectable()
export class WorkOnBacklogs implements BeforeApplicationShutdown {
  readonly name = 'work-on-backlogs';
  readonly handlers: readonly JobHandler[];
  private readonly runs: JobRuns;
  private readonly closing = new AbortController();

  constructor(
    private readonly streams: Streams,
    private readonly attempts: AutomaticAttempts,
    private readonly backlogs: Backlogs,
    private readonly slots: Slots,
    private readonly breakers: Breakers,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    random: Random,
    holder: Holder,
  ) {
    this.runs = new JobRuns({ jobs, clock, random, holder: holder.name }, new Patience(clock, random));
    const run = (job: BacklogJob) => (job.data.after === undefined ? this.work(job) : this.lookAfter(job, job.data.after));
    this.handlers = Object.values(BACKLOG_QUEUES).map((queue) => ({ queue, concurrency: BACKLOGS_AT_ONCE, run }));
  }

  beforeApplicationShutdown(): void {
    this.closing.abort('closing');
  }

  private async work(job: BacklogJob): Promise<void | Again> {
    const { data: backlog } = job;
    const underWay = new Set<Promise<void>>();
    const restMs = await this.sendSome(backlog, underWay).finally(() => Promise.all(underWay));
    if (restMs !== null) return this.again(restMs, 'no free slot');
    const next = await this.backlogs.nextDue(backlog);
    return next === null ? this.putLookAfter(job) : this.rest(job, Date.parse(next) - this.clock.now());
  }

  private async rest(job: BacklogJob, restMs: number): Promise<Again> {
    if (restMs > LOOK_AFTER_MS) await this.putLookAfter(job);
    return this.again(restMs, NOTHING_DUE);
  }

  /** Sends until nothing is due and returns null, or until the run must pause and returns for how long. */
  private async sendSome(backlog: BacklogId, underWay: Set<Promise<void>>): Promise<number | null> {
    const until = this.clock.monotonic() + RUN_MS;
    while (this.clock.monotonic() < until && !this.closing.signal.aborted) {
      this.backlogs.saw(backlog);
      const [job] = (await this.runs.claim(queueOf(backlog), 1)) as ChainJob[];
      if (job === undefined) {
        this.backlogs.sawNone(backlog);
        if (underWay.size === 0) return null;
        await this.clock.sleep(LOOK_AGAIN_MS);
      } else {
        const turn = await this.turnOf(job, backlog.kind).catch(unlessAway);
        if ('waitMs' in turn) return this.putBack(job, turn.waitMs);
        const ended = this.begin(job, backlog.kind, turn, underWay);
        if (turn === NO_SLOT) await ended;
      }
    }
    return 0;
  }

  /** The circuit breaker delays only a waiting attempt: an open one sends nothing and is only checked. */
  private async turnOf({ data: { chainId, endpointId } }: ChainJob, kind: BacklogKind): Promise<Turn> {
    const [to, found] = await Promise.all([this.streams.state(endpoint, endpointId), this.streams.state(chain, chainId)]);
    if (!needsSlot(found, targetOf(to), iso(this.clock.now()))) return NO_SLOT;
    const waitMs = kind === 'first' && found.status === 'waiting' ? this.breakers.waitMs(endpointId) : 0;
    if (waitMs > 0) return { waitMs };
    if ('settings' in to) this.slots.limitRate(endpointId, to.settings.rateLimitPerSecond);
    const lane = kind === 'retry' && this.breakers.isTripped(endpointId) ? 'doubtful' : kind;
    return this.slots.next(endpointId, lane, SLOT_PATIENCE_MS);
  }

  /** Returns the job to the head of the backlog. */
  private async putBack(job: ChainJob, waitMs: number): Promise<number> {
    await this.jobs.again(job, job.due, 'no free slot');
    return waitMs;
  }

  private begin(job: ChainJob, kind: BacklogKind, slot: Slot, underWay: Set<Promise<void>>): Promise<void> {
    const ended = this.runs
      .run(job, () => this.make(job, kind), this.closing.signal)
      .finally(() => {
        underWay.delete(ended);
        slot.release();
      });
    underWay.add(ended);
    return ended;
  }

  /** Isolates a job that throws: at the head of the backlog it would throw again and block the others. */
  private async make(job: ChainJob, kind: BacklogKind): Promise<void | Again> {
    try {
      return await this.attempts.make(job, contextOfJob(job, this.name)).catch((error: unknown) => this.attempts.afterFault(job, error));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      await this.backlogs.takeOut(job, kind);
    }
  }

  /**
   * Enqueues a job that checks the backlog again. An attempt that is added while this job ends cannot wake this job.
   */
  private async putLookAfter({ id, data, queue }: BacklogJob): Promise<void> {
    const key = `${workKeyOf(data)}:after:${id}`;
    await this.jobs.put([{ key, queue, due: iso(this.clock.now() + LOOK_AFTER_MS), data: { ...data, after: id } }]);
  }

  private async lookAfter({ data: { endpointId, kind } }: BacklogJob, id: string): Promise<void | Again> {
    const backlog = { endpointId, kind };
    const before = await this.jobs.find(workKeyOf(backlog));
    if (before?.id === id && before.status === 'running') return this.again(LOOK_AFTER_MS, 'the previous job has not ended');
    const next = await this.backlogs.nextDue(backlog);
    if (next === null) return;
    await this.jobs.put([this.backlogs.workOn(backlog)]);
    await this.backlogs.endRest(backlog, next);
  }

  private again(waitMs: number, why: string): Again {
    return this.attempts.again(Math.min(Math.max(0, waitMs), LONGEST_REST_MS), why);
  }
}

/** Lets a job run whose state cannot be read: its run then throws the same error. */
function unlessAway(error: unknown): Turn {
  if (error instanceof StoreUnavailable) throw error;
  return NO_SLOT;
}

/**
 * Returns false for a chain that sends nothing: it has ended, a replay job holds it, or its attempt is to be abandoned.
 */
function needsSlot(found: Chain, target: Target, now: string): boolean {
  if (found.status !== 'waiting') return found.status === 'sending';
  return found.heldBy === null && reasonToDrop(found, target, now) === null;
}

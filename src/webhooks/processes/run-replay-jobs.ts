import { Injectable } from '@nestjs/common';
import { eachAtMost } from '../../engine/reacting/pool.js';
import type { Again, JobHandler, Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, iso } from '../../kernel/clock.js';
import { step, type Context } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import type { EventOf } from '../../kernel/projection.js';
import { deliveryIdOf } from '../domain/delivery-id.js';
import { MAX_MATCHED, replayJob, type KnownReplayJob, type ReplayJobEvent } from '../domain/replay-job.js';
import { laneIdOf, replayLane } from '../domain/replay-lane.js';
import type { ChainDocument } from '../projections/chains.js';
import { ReplaySelection } from '../projections/replay-selection.js';
import { contextOfJob } from '../sending/chain-jobs.js';
import { Redeliveries } from '../sending/redeliveries.js';
import { chains } from '../projections/chains.js';
import { REPLAY_JOBS, replayJobWork, replayLaneWork, type ReplayJobRun } from '../sending/replay-job-queues.js';
import { ReplayPace } from '../sending/replay-pace.js';
import { ReplayFaults } from './replay-faults.js';

const JOBS_AT_ONCE = 4;
/** Limits the records in one event. */
const RECORDS_AT_ONCE = 1_000;
/** Limits one run. Each run checks whether the job is cancelled. */
const HELD_A_RUN = 500;
const HOLDS_AT_ONCE = 4;

/** Starts replay jobs: saves their selection, holds every selected delivery chain, and then enqueues the batches. */
@Injectable()
export class RunReplayJobs implements Reactor {
  readonly name = 'run-replay-jobs';
  readonly types = ['ReplayJobRequested'];
  readonly handler: JobHandler;

  constructor(
    private readonly streams: Streams,
    private readonly selection: ReplaySelection,
    private readonly redeliveries: Redeliveries,
    private readonly pace: ReplayPace,
    private readonly faults: ReplayFaults,
    private readonly store: EventStore,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {
    const run = (job: ReplayJobRun) => this.run(job).catch((error: unknown) => this.faults.after(error, job, contextOfJob(job, this.name)));
    this.handler = { queue: REPLAY_JOBS, needs: [chains], concurrency: JOBS_AT_ONCE, run };
  }

  async react({ id: causationId, data, meta }: EventOf<ReplayJobEvent, 'ReplayJobRequested'>): Promise<void> {
    const { replayJobId, businessId, mode } = data;
    const { correlationId } = meta;
    await this.jobs.put([replayJobWork(meta.at, { replayJobId, businessId, mode, correlationId, causationId })]);
  }

  private async run(job: ReplayJobRun): Promise<void | Again> {
    const found = await this.streams.state(replayJob, job.data.replayJobId);
    switch (found.status) {
      case 'pending':
        await this.start(found, contextOfJob(job, this.name));
        return this.soon();
      case 'running':
        return found.heldAll ? this.openLanes(found, job) : this.holdOn(found, job);
      case 'cancelling':
      case 'failed':
        return this.openLanes(found, job);
      case 'completed':
      case 'cancelled':
      case 'forgone':
      case 'unknown':
        return undefined;
    }
  }

  private async start({ facts }: KnownReplayJob, context: Context): Promise<void> {
    const position = await this.store.head();
    const owner = { business: facts.businessId, mode: facts.mode, progress: context.progress };
    const found = await this.selection.at(position, facts, owner);
    const isTooMuch = found.length > MAX_MATCHED;
    const selected = isTooMuch ? { matched: found.length, endpointIds: [] } : await this.saved(facts.replayJobId, found, context);
    const command = { type: 'StartReplayJob', position, ...selected } as const;
    await this.streams.execute(replayJob, facts.replayJobId, command, step(context, 'start'));
  }

  private async saved(replayJobId: string, found: readonly ChainDocument[], context: Context) {
    const lanes = Map.groupBy(found, ({ endpoint_id }) => endpoint_id);
    let matched = 0;
    for (const [endpointId, chains] of lanes) matched += await this.save(replayJobId, endpointId, chains, context);
    return { matched, endpointIds: [...lanes.keys()] };
  }

  /**
   * Saves the records of one batch, sorted by the time of their events, with which each id begins. Returns the size of
   * the batch, which includes the records of a run that crashed.
   */
  private async save(replayJobId: string, endpointId: string, chains: readonly ChainDocument[], context: Context): Promise<number> {
    const records = chains.map(({ id, attempt }) => deliveryIdOf(id, attempt)).sort();
    const laneId = laneIdOf({ replayJobId, endpointId });
    for (let at = 0; at < records.length; at += RECORDS_AT_ONCE) {
      const command = { type: 'SelectChains', replayJobId, endpointId, records: records.slice(at, at + RECORDS_AT_ONCE) } as const;
      await this.streams.execute(replayLane, laneId, command, step(context, 'select', laneId, at));
    }
    return (await this.streams.state(replayLane, laneId)).records.length;
  }

  private async holdOn({ facts: { replayJobId }, lanes }: KnownReplayJob, job: ReplayJobRun): Promise<Again> {
    let left = HELD_A_RUN;
    for (const endpointId of lanes) {
      left -= await this.holdSome({ replayJobId, endpointId }, job, left);
      if (left <= 0) return this.soon();
    }
    await this.streams.execute(replayJob, replayJobId, { type: 'BeginSending' }, step(contextOfJob(job, this.name), 'send'));
    return this.soon();
  }

  /** Holds at most `limit` further chains of a batch. Returns how many it processed. */
  private async holdSome(lane: { readonly replayJobId: string; readonly endpointId: string }, job: ReplayJobRun, most: number) {
    const laneId = laneIdOf(lane);
    const { records, held } = await this.streams.state(replayLane, laneId);
    const some = records.slice(held, held + most);
    if (some.length === 0) return 0;
    const ofJob = { ...contextOfJob(job, this.name), commandId: job.data.causationId };
    await eachAtMost(HOLDS_AT_ONCE, some, async (record) => {
      await this.pace.step();
      await this.redeliveries.hold({ ...lane, record }, ofJob);
    });
    const command = { type: 'RecordHeld', ...lane, through: held + some.length } as const;
    await this.streams.execute(replayLane, laneId, command, step(contextOfJob(job, this.name), 'held', laneId));
    return some.length;
  }

  /**
   * Enqueues the batches. They send while the job runs, and release their chains after it is cancelled or has failed.
   */
  private async openLanes({ facts: { replayJobId }, lanes }: KnownReplayJob, { data }: ReplayJobRun): Promise<void> {
    const due = iso(this.clock.now());
    await this.jobs.put([...lanes].map((endpointId) => replayLaneWork(due, { ...data, replayJobId, endpointId })));
  }

  private soon(): Again {
    return { again: iso(this.clock.now()), why: 'there is more to do' };
  }
}

import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor, Reschedule } from '../../engine/registry.js';
import { forEachConcurrently } from '../../engine/semaphore.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { EventStore } from '../../kernel/event-store.js';
import { Jobs } from '../../kernel/jobs.js';
import type { Position } from '../../kernel/position.js';
import { contextForJob } from '../delivery/delivery-jobs.js';
import {
  REPLAY_JOB_QUEUE,
  type ReplayJobRun,
  toBackfillRun,
  toReplayBatchRun,
  toReplayJobRun,
} from '../delivery/replay-queues.js';
import { ReplaySteps } from '../delivery/replay-steps.js';
import { ReplayThrottle } from '../delivery/replay-throttle.js';
import { deliveryIdOf } from '../domain/delivery-id.js';
import { replayBatchDecider, replayBatchIdOf } from '../domain/replay-batch.js';
import {
  findBackfilledEndpoint,
  type KnownReplayJob,
  MAX_MATCHED,
  replayJobDecider,
  type ReplayJobEvent,
  type ReplayJobFacts,
} from '../domain/replay-job.js';
import { deliveries } from '../projections/deliveries.js';
import { undeliveredChains } from '../projections/undelivered-chains.js';
import { ReplaySelection, type SelectableChain } from '../queries/replay-selection.queries.js';
import { ReplayErrors } from './replay-errors.js';

const JOB_CONCURRENCY = 4;
const MAX_RECORDS_PER_EVENT = 1_000;
/** Limits one run. Each run checks whether the job is cancelled. */
const MAX_HOLDS_PER_RUN = 500;
const HOLD_CONCURRENCY = 4;

type ReplayJobRequested = Extract<ReplayJobEvent, { type: 'ReplayJobRequested' }>;

/** Starts replay jobs: saves their selection, holds every selected delivery chain, and then enqueues the batches. */
@Injectable()
export class RunReplayJobs implements Reactor<ReplayJobRequested> {
  readonly name = 'run-replay-jobs';
  readonly types = typesOf<ReplayJobRequested>({ ReplayJobRequested: true });
  readonly handlers: readonly JobHandler<ReplayJobRun['data']>[];

  constructor(
    private readonly streams: Streams,
    private readonly selection: ReplaySelection,
    private readonly steps: ReplaySteps,
    private readonly throttle: ReplayThrottle,
    private readonly errors: ReplayErrors,
    private readonly store: EventStore,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {
    const run = (job: ReplayJobRun) =>
      this.run(job).catch((error: unknown) => this.errors.handle(error, job, contextForJob(job, this.name)));
    this.handlers = [
      { queue: REPLAY_JOB_QUEUE, needs: [undeliveredChains, deliveries], concurrency: JOB_CONCURRENCY, run },
    ];
  }

  async react({ id: causationId, data, meta }: RecordedOf<ReplayJobRequested>): Promise<void> {
    const { replayJobId, businessId, mode } = data;
    const { correlationId } = meta;
    await this.jobs.enqueue([toReplayJobRun(meta.at, { replayJobId, businessId, mode, correlationId, causationId })]);
  }

  private async run(job: ReplayJobRun): Promise<void | Reschedule> {
    const found = await this.streams.loadState(replayJobDecider, job.data.replayJobId);
    switch (found.status) {
      case 'pending':
        await this.start(found, contextForJob(job, this.name));
        return this.rescheduleNow();
      case 'running':
        return found.allHeld || findBackfilledEndpoint(found.facts) !== null
          ? this.enqueueBatches(found, job)
          : this.continueHolding(found, job);
      case 'cancelling':
      case 'failed':
        return this.enqueueBatches(found, job);
      case 'completed':
      case 'cancelled':
      case 'abandoned':
      case 'unknown':
        return undefined;
    }
  }

  private async start({ facts }: KnownReplayJob, context: Context): Promise<void> {
    const position = await this.store.readHead();
    const backfilled = findBackfilledEndpoint(facts);
    if (backfilled !== null)
      return this.recordStart(facts, position, { matched: 0, endpointIds: [backfilled] }, context);
    const owner = { business: facts.businessId, mode: facts.mode, consistency: context.consistency };
    const found = await this.selection.selectAt(position, facts, owner);
    const isTooLarge = found.length > MAX_MATCHED;
    const selected = isTooLarge
      ? { matched: found.length, endpointIds: [] }
      : await this.saveSelection(facts.replayJobId, found, context);
    await this.recordStart(facts, position, selected, context);
  }

  private async recordStart(
    { replayJobId }: ReplayJobFacts,
    position: Position,
    selected: { readonly matched: number; readonly endpointIds: readonly string[] },
    context: Context,
  ): Promise<void> {
    const command = { type: 'StartReplayJob', position, ...selected } as const;
    await this.streams.execute(replayJobDecider, replayJobId, command, createChildContext(context, 'start'));
  }

  private async saveSelection(replayJobId: string, found: readonly SelectableChain[], context: Context) {
    const batches = Map.groupBy(found, ({ endpoint_id }) => endpoint_id);
    let matched = 0;
    for (const [endpointId, chains] of batches)
      matched += await this.saveBatch(replayJobId, endpointId, chains, context);
    return { matched, endpointIds: [...batches.keys()] };
  }

  /**
   * Saves the records of one batch, sorted by the time of their events, with which each id begins. Returns the size of
   * the batch, which includes the records of a run that crashed.
   */
  private async saveBatch(
    replayJobId: string,
    endpointId: string,
    chains: readonly SelectableChain[],
    context: Context,
  ): Promise<number> {
    const records = chains.map(({ id, attempt }) => deliveryIdOf(id, attempt)).sort();
    const batchId = replayBatchIdOf({ replayJobId, endpointId });
    for (let index = 0; index < records.length; index += MAX_RECORDS_PER_EVENT) {
      const command = {
        type: 'SelectChains',
        replayJobId,
        endpointId,
        records: records.slice(index, index + MAX_RECORDS_PER_EVENT),
      } as const;
      await this.streams.execute(
        replayBatchDecider,
        batchId,
        command,
        createChildContext(context, 'select', batchId, index),
      );
    }
    return (await this.streams.loadState(replayBatchDecider, batchId)).records.length;
  }

  private async continueHolding(
    { facts: { replayJobId }, openBatches }: KnownReplayJob,
    job: ReplayJobRun,
  ): Promise<Reschedule> {
    let remaining = MAX_HOLDS_PER_RUN;
    for (const endpointId of openBatches) {
      remaining -= await this.holdSome({ replayJobId, endpointId }, job, remaining);
      if (remaining <= 0) return this.rescheduleNow();
    }
    await this.streams.execute(
      replayJobDecider,
      replayJobId,
      { type: 'StartSending' },
      createChildContext(contextForJob(job, this.name), 'send'),
    );
    return this.rescheduleNow();
  }

  /** Holds at most `limit` further chains of a batch. Returns how many it processed. */
  private async holdSome(
    batch: { readonly replayJobId: string; readonly endpointId: string },
    job: ReplayJobRun,
    limit: number,
  ) {
    const batchId = replayBatchIdOf(batch);
    const { records, held } = await this.streams.loadState(replayBatchDecider, batchId);
    const some = records.slice(held, held + limit);
    if (some.length === 0) return 0;
    const jobContext = { ...contextForJob(job, this.name), commandId: job.data.causationId };
    await forEachConcurrently(HOLD_CONCURRENCY, some, async (record) => {
      await this.throttle.waitForStep();
      await this.steps.hold({ ...batch, record }, jobContext);
    });
    const command = { type: 'RecordHeld', ...batch, through: held + some.length } as const;
    await this.streams.execute(
      replayBatchDecider,
      batchId,
      command,
      createChildContext(contextForJob(job, this.name), 'held', batchId),
    );
    return some.length;
  }

  /**
   * Enqueues the batches. They send while the job runs, and release their chains after it is cancelled or has failed.
   */
  private async enqueueBatches({ facts, openBatches }: KnownReplayJob, { data }: ReplayJobRun): Promise<void> {
    const due = toIso(this.clock.now());
    const toRun = findBackfilledEndpoint(facts) === null ? toReplayBatchRun : toBackfillRun;
    await this.jobs.enqueue([...openBatches].map((endpointId) => toRun(due, { ...data, endpointId })));
  }

  private rescheduleNow(): Reschedule {
    return { at: toIso(this.clock.now()), reason: 'there is more to do' };
  }
}

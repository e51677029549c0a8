import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { JobHandler, Reschedule } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Backlogs } from '../delivery/backlogs.js';
import { contextForJob } from '../delivery/delivery-jobs.js';
import { BACKFILL_RUN_QUEUE, type BackfillRun } from '../delivery/replay-queues.js';
import { endpointDecider } from '../domain/endpoint.js';
import { type KnownReplayJob, replayJobDecider } from '../domain/replay-job.js';
import { deliveries } from '../projections/deliveries.js';
import { publicEvents } from '../projections/public-events.js';
import { BackfillPlanner } from './backfill-planner.js';
import { ReplayErrors } from './replay-errors.js';

const BACKFILL_CONCURRENCY = 20;
const POLL_MS = 250;

type Progress = Pick<BackfillRun['data'], 'after' | 'lastDue' | 'isPlanned'>;

/**
 * Runs the replay jobs that deliver events that were never planned. Plans some chains ahead of the backlog that sends
 * them; the progress is kept with the job. A lost progress repeats nothing, since each chain is planned once.
 */
@Injectable()
export class RunBackfills {
  readonly name = 'run-backfills';
  readonly handlers: readonly JobHandler<BackfillRun['data']>[];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly planner: BackfillPlanner,
    private readonly backlogs: Backlogs,
    private readonly errors: ReplayErrors,
    private readonly clock: Clock,
  ) {
    const run = (job: BackfillRun) =>
      this.run(job).catch((error: unknown) => this.errors.handle(error, job, contextForJob(job, this.name)));
    const needs = [publicEvents, deliveries];
    this.handlers = [{ queue: BACKFILL_RUN_QUEUE, needs, concurrency: BACKFILL_CONCURRENCY, run }];
  }

  private async run(job: BackfillRun): Promise<void | Reschedule<BackfillRun['data']>> {
    const found = await this.streams.loadState(replayJobDecider, job.data.replayJobId);
    switch (found.status) {
      case 'running':
        return this.continue(found, job);
      case 'cancelling':
        return this.drain(job, job.data);
      case 'failed':
        return this.backlogs.wake(job.data.endpointId);
      case 'pending':
      case 'completed':
      case 'cancelled':
      case 'abandoned':
      case 'unknown':
        return undefined;
    }
  }

  private async continue(
    { facts, position }: KnownReplayJob,
    job: BackfillRun,
  ): Promise<void | Reschedule<BackfillRun['data']>> {
    const endpoint = await this.streams.loadState(endpointDecider, job.data.endpointId);
    if (endpoint.status !== 'enabled') return this.fail(job);
    await this.reader.requirePosition(publicEvents, position!);
    const progress = await this.planner.planAhead({ facts, until: position! }, endpoint, job, this.createContext(job));
    return progress.isPlanned ? this.drain(job, progress) : this.reschedule(job, progress);
  }

  /** Ends the job when nothing waits in the backlog any more; a stopped job has its waiting attempts dropped there. */
  private async drain(job: BackfillRun, progress: Progress): Promise<void | Reschedule<BackfillRun['data']>> {
    const { endpointId, replayJobId } = job.data;
    const isEmpty = (await this.backlogs.findNextDue({ endpointId, kind: 'backfill' })) === null;
    if (!isEmpty) return this.reschedule(job, progress);
    const command = { type: 'EndReplayBatch', endpointId } as const;
    await this.streams.execute(replayJobDecider, replayJobId, command, this.createContext(job, 'end'));
  }

  private async fail(job: BackfillRun): Promise<void> {
    const { endpointId, replayJobId } = job.data;
    const command = { type: 'FailReplayJob', error: 'endpoint_disabled' } as const;
    await this.streams.execute(replayJobDecider, replayJobId, command, this.createContext(job, 'fail'));
    await this.backlogs.wake(endpointId);
  }

  private reschedule({ data }: BackfillRun, progress: Progress): Reschedule<BackfillRun['data']> {
    const at = toIso(this.clock.now() + POLL_MS);
    return { at, reason: 'there is more to do', data: { ...data, ...progress } };
  }

  private createContext(job: BackfillRun, ...label: readonly string[]): Context {
    return createChildContext(contextForJob(job, this.name), ...label);
  }
}

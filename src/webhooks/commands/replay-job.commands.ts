import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../identity/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpoint, requireOwnedEndpoint } from '../domain/endpoint.js';
import { replayJob, type ReplayWindow, requireOwnedReplayJob } from '../domain/replay-job.js';
import {
  type ReplayJobDocument,
  replayJobs,
  type ReplayProgress,
  type SkippedReasons,
  toWindowDocument,
} from '../projections/replay-jobs.js';
import { ReplaySelection } from '../queries/replay-selection.js';
import { ReplayLockSteps } from './replay-lock.steps.js';

export class RequestReplayJob extends Command<ReplayJobDocument> {
  constructor(
    readonly context: Context,
    readonly window: ReplayWindow,
  ) {
    super();
  }
}

@CommandHandler(RequestReplayJob)
export class RequestReplayJobHandler implements ICommandHandler<RequestReplayJob> {
  constructor(
    private readonly streams: Streams,
    private readonly lock: ReplayLockSteps,
    private readonly selection: ReplaySelection,
  ) {}

  async execute({ context, window }: RequestReplayJob): Promise<ReplayJobDocument> {
    const replayJobId = idOf('whj', context.at, context.commandId);
    const found = await this.streams.loadState(replayJob, replayJobId);
    if (found.status === 'unknown') await this.prepare(replayJobId, window, context);

    const facts = { replayJobId, businessId: requireBusiness(context), mode: context.mode, ...window };
    const outcome = await this.streams.execute(replayJob, replayJobId, { type: 'RequestReplayJob', ...facts }, context);
    return outcome.render(replayJobs, replayJobId);
  }

  /** Acquires the lock, and releases it again when the job is rejected. */
  private async prepare(replayJobId: string, window: ReplayWindow, context: Context): Promise<void> {
    await assertKnownEndpoint(window, this.streams, context);
    await this.lock.acquire(replayJobId, window.endpointId, context);
    try {
      await this.selection.preview(window, context);
    } catch (error) {
      if (error instanceof Rejection) await this.lock.release(replayJobId, context);
      throw error;
    }
  }
}

/** The result of a dry run: what the job would do if it started now. */
export interface ReplayForecast extends ReturnType<typeof toWindowDocument>, ReplayProgress {
  readonly id: null;
  readonly object: 'replay_job';
  readonly status: null;
  readonly matched: number;
  readonly created_at: null;
  readonly started_at: null;
  readonly completed_at: null;
  readonly cancelled_at: null;
  readonly error: null;
}

export class ForecastReplayJob extends Command<ReplayForecast> {
  constructor(
    readonly context: Context,
    readonly window: ReplayWindow,
  ) {
    super();
  }
}

/** Runs a dry run, which stores nothing. */
@CommandHandler(ForecastReplayJob)
export class ForecastReplayJobHandler implements ICommandHandler<ForecastReplayJob> {
  constructor(
    private readonly streams: Streams,
    private readonly selection: ReplaySelection,
  ) {}

  async execute({ context, window }: ForecastReplayJob): Promise<ReplayForecast> {
    await assertKnownEndpoint(window, this.streams, context);
    const skipped: (keyof SkippedReasons)[] = [];
    const matched = await this.selection.preview(window, context, async (found) => {
      skipped.push(...(await this.selection.findSkipReasons(found)).filter((reason) => reason !== null));
    });
    return toForecast(window, matched, skipped);
  }
}

export class CancelReplayJob extends Command<ReplayJobDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(CancelReplayJob)
export class CancelReplayJobHandler implements ICommandHandler<CancelReplayJob> {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  /** Returns the status from the stream of the job, and the progress from the read model, which may be stale. */
  async execute({ context, id }: CancelReplayJob): Promise<ReplayJobDocument> {
    requireOwnedReplayJob(await this.streams.loadState(replayJob, id), context);
    const outcome = await this.streams.execute(replayJob, id, { type: 'CancelReplayJob' }, context);
    const document = (await this.reader.getExisting(replayJobs, [id])).get(id);
    return { ...(await outcome.render(replayJobs, id)), ...(document && toProgress(document)) };
  }
}

/** @throws Rejection when the window names an endpoint that the business does not have */
async function assertKnownEndpoint({ endpointId }: ReplayWindow, streams: Streams, context: Context): Promise<void> {
  if (endpointId === null) return;
  const found = await streams.loadState(endpoint, endpointId);
  try {
    requireOwnedEndpoint(found, context);
  } catch {
    throw Rejection.unknownReference('endpoint_id');
  }
}

function toForecast(window: ReplayWindow, matched: number, reasons: readonly (keyof SkippedReasons)[]): ReplayForecast {
  const skipped_reasons = Object.fromEntries(
    [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length]),
  );
  return {
    id: null,
    object: 'replay_job',
    status: null,
    ...toWindowDocument(window),
    matched,
    redelivered: matched - reasons.length,
    succeeded: 0,
    failed: 0,
    skipped: reasons.length,
    skipped_reasons,
    created_at: null,
    started_at: null,
    completed_at: null,
    cancelled_at: null,
    error: null,
  };
}

function toProgress({ redelivered, succeeded, failed, skipped, skipped_reasons }: ReplayJobDocument): ReplayProgress {
  return { redelivered, succeeded, failed, skipped, skipped_reasons };
}

import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import {
  alwaysNull,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  integer,
  KIND,
  resource,
  type Schema,
  string,
} from '../../kernel/schema.js';
import { endpointDecider } from '../domain/endpoint.js';
import { replayJobDecider, type ReplayWindow } from '../domain/replay-job.js';
import {
  progressFields,
  type ReplayJobDocument,
  replayJobs,
  type ReplayProgress,
  type SkippedReasons,
  toWindowDocument,
  windowFields,
} from '../projections/replay-jobs.js';
import { ReplaySelection } from '../queries/replay-selection.queries.js';
import { ReplayLockSteps } from './replay-lock.steps.js';

export class RequestReplayJob extends ContextCommand<ReplayWindow, ReplayJobDocument> {}

@CommandHandler(RequestReplayJob)
export class RequestReplayJobHandler implements ICommandHandler<RequestReplayJob> {
  constructor(
    private readonly streams: Streams,
    private readonly owned: OwnedStreams,
    private readonly lock: ReplayLockSteps,
    private readonly selection: ReplaySelection,
  ) {}

  async execute({ context, params: window }: RequestReplayJob): Promise<ReplayJobDocument> {
    const replayJobId = idOf('whj', context.at, context.commandId);
    const facts = { replayJobId, businessId: requireBusiness(context), mode: context.mode, ...window };
    const prepare = async () => {
      await this.prepare(replayJobId, window, context);
      return { type: 'RequestReplayJob', ...facts } as const;
    };
    const outcome = await this.streams.execute(replayJobDecider, replayJobId, prepare, context);
    return outcome.render(replayJobs, replayJobId);
  }

  /** Acquires the lock, and releases it again when the job is rejected. */
  private async prepare(replayJobId: string, window: ReplayWindow, context: Context): Promise<void> {
    await assertKnownEndpoint(window, this.owned, context);
    await this.lock.acquire(replayJobId, window.endpointId, context);
    try {
      if (window.scope !== 'never_planned') await this.selection.preview(window, context);
    } catch (error) {
      if (error instanceof Rejection) await this.lock.release(replayJobId, context);
      throw error;
    }
  }
}

const unset = (field: Schema<string>) => describe(alwaysNull(field), 'Always null: a dry run stores no job.');

/** The result of a dry run: what the job would do if it started now. */
export const replayForecastSchema = resource('ReplayForecast', {
  id: unset(id('whj')),
  status: unset(string),
  object: describe(enumOf('replay_job'), KIND),
  ...windowFields,
  matched: describe(integer, 'The number of delivery chains that a job would select now.'),
  ...progressFields,
  created_at: unset(dateTime),
  started_at: unset(dateTime),
  completed_at: unset(dateTime),
  cancelled_at: unset(dateTime),
  error: unset(string),
});

export type ReplayForecast = DocumentOf<typeof replayForecastSchema>;

export class ForecastReplayJob extends ContextCommand<ReplayWindow, ReplayForecast> {}

/** Runs a dry run, which stores nothing. */
@CommandHandler(ForecastReplayJob)
export class ForecastReplayJobHandler implements ICommandHandler<ForecastReplayJob> {
  constructor(
    private readonly owned: OwnedStreams,
    private readonly selection: ReplaySelection,
  ) {}

  async execute({ context, params: window }: ForecastReplayJob): Promise<ReplayForecast> {
    await assertKnownEndpoint(window, this.owned, context);
    const skipped: (keyof SkippedReasons)[] = [];
    const matched = await this.selection.preview(window, context, async (found) => {
      skipped.push(...(await this.selection.findSkipReasons(found)).filter((reason) => reason !== null));
    });
    return toForecast(window, matched, skipped);
  }
}

export class CancelReplayJob extends ContextCommand<{ id: string }, ReplayJobDocument> {}

@CommandHandler(CancelReplayJob)
export class CancelReplayJobHandler implements ICommandHandler<CancelReplayJob> {
  constructor(
    private readonly owned: OwnedStreams,
    private readonly reader: ReadModelReader,
  ) {}

  /** Returns the status from the stream of the job, and the progress from the read model, which may be stale. */
  async execute({ context, params: { id } }: CancelReplayJob): Promise<ReplayJobDocument> {
    const cancelled = await this.owned.edit(replayJobDecider, replayJobs, id, { type: 'CancelReplayJob' }, context);
    const document = (await this.reader.getExisting(replayJobs, [id])).get(id);
    return { ...cancelled, ...(document && toProgress(document)) };
  }
}

/** @throws Rejection when the window names an endpoint that the business does not have */
async function assertKnownEndpoint({ endpointId }: ReplayWindow, owned: OwnedStreams, context: Context): Promise<void> {
  if (endpointId !== null && (await owned.find(endpointDecider, endpointId, context)) === null)
    throw Rejection.unknownReference('endpoint_id');
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

export const replayJobHandlers = [RequestReplayJobHandler, ForecastReplayJobHandler, CancelReplayJobHandler];

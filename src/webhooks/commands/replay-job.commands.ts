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
import { type ActiveEndpoint, endpointDecider } from '../domain/endpoint.js';
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
import { NeverPlannedEvents } from '../queries/never-planned.queries.js';
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
    await findEndpoint(window, this.owned, context);
    await this.lock.acquire(replayJobId, window.endpointId, context);
    try {
      if (window.scope !== 'never_planned') await this.selection.preview(window, context);
    } catch (error) {
      if (error instanceof Rejection) await this.lock.release(replayJobId, context);
      throw error;
    }
  }
}

const countsByType: Schema<Counts> = { schema: { type: 'object', additionalProperties: integer.schema } };
const unset = (field: Schema<string>) => describe(alwaysNull(field), 'Always null: a dry run stores no job.');

/** The result of a dry run: what the job would do if it started now. */
export const replayForecastSchema = resource('ReplayForecast', {
  id: unset(id('whj')),
  status: unset(string),
  object: describe(enumOf('replay_job'), KIND),
  ...windowFields,
  matched: describe(integer, 'The number of delivery chains that a job would select now.'),
  matched_by_type: describe(
    countsByType,
    'The same number for each event type; a type without a selected delivery chain is left out.',
    { 'cart.order.completed': 12 },
  ),
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
    private readonly neverPlanned: NeverPlannedEvents,
  ) {}

  async execute({ context, params: window }: ForecastReplayJob): Promise<ReplayForecast> {
    const endpoint = await findEndpoint(window, this.owned, context);
    return window.scope === 'never_planned' && endpoint !== null
      ? this.forecastBackfill(window, endpoint, context)
      : this.forecastReplays(window, context);
  }

  private async forecastReplays(window: ReplayWindow, context: Context): Promise<ReplayForecast> {
    const types: string[] = [];
    const skipped: (keyof SkippedReasons)[] = [];
    await this.selection.preview(window, context, async (found) => {
      types.push(...found.map(({ event_type }) => event_type));
      skipped.push(...(await this.selection.findSkipReasons(found)).filter((reason) => reason !== null));
    });
    return toForecast(window, countEach(types), countEach(skipped));
  }

  private async forecastBackfill(
    window: ReplayWindow,
    endpoint: ActiveEndpoint,
    context: Context,
  ): Promise<ReplayForecast> {
    const counts = await this.neverPlanned.count(window, endpoint, context);
    const byType = Object.fromEntries([...counts].filter(([, count]) => count > 0));
    const skipped = endpoint.status === 'enabled' ? {} : { endpoint_disabled: sum(byType) };
    return toForecast(window, byType, skipped);
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
    return { ...cancelled, ...(document && toProgress(document)), matched: document?.matched ?? cancelled.matched };
  }
}

/** Returns null when the window names no endpoint. @throws Rejection when the business does not have the endpoint */
async function findEndpoint(
  { endpointId }: ReplayWindow,
  owned: OwnedStreams,
  context: Context,
): Promise<ActiveEndpoint | null> {
  if (endpointId === null) return null;
  const found = await owned.find(endpointDecider, endpointId, context);
  if (found === null) throw Rejection.unknownReference('endpoint_id');
  return found;
}

type Counts = Readonly<Record<string, number>>;

function countEach(names: readonly string[]): Counts {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function toForecast(window: ReplayWindow, byType: Counts, skipped_reasons: SkippedReasons): ReplayForecast {
  const [matched, skipped] = [sum(byType), sum(skipped_reasons)];
  return {
    id: null,
    object: 'replay_job',
    status: null,
    ...toWindowDocument(window),
    matched,
    matched_by_type: byType,
    redelivered: matched - skipped,
    succeeded: 0,
    failed: 0,
    skipped,
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

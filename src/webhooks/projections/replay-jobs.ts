import type { Recorded } from '../../kernel/event.js';
import { OWNER, type Owned } from '../../kernel/ownership.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { ChainEvent, EndOfAttempt } from '../domain/chain.js';
import type { SkipReason } from '../domain/holding.js';
import type { ReplayJobError, ReplayJobEvent, ReplayJobFacts, ReplayedStatus, ReplayWindow } from '../domain/replay-job.js';

export type SkippedReasons = Readonly<Partial<Record<SkipReason | 'cancelled', number>>>;

/** The progress of a job, counted from the events of its chains. */
export interface ReplayProgress {
  readonly redelivered: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly skipped: number;
  readonly skipped_reasons: SkippedReasons;
}

/** The public form of a replay window. */
export interface WindowShown {
  readonly created_from: string;
  readonly created_to: string;
  readonly endpoint_id: string | null;
  readonly event_types: readonly string[];
  readonly statuses: readonly ReplayedStatus[];
  readonly include_missed: boolean;
}

export interface ReplayJobDocument extends Owned, WindowShown, ReplayProgress {
  readonly id: string;
  readonly object: 'replay_job';
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelling' | 'cancelled';
  /** Null until the job starts. */
  readonly matched: number | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly cancelled_at: string | null;
  readonly error: ReplayJobError | null;
}

type Event<T extends Source['type']> = EventOf<Source, T>;
type OfItsChains = EndOfAttempt | Extract<ChainEvent, { type: 'ChainSkipped' }>;
type Source = Exclude<ReplayJobEvent, { type: 'ReplayJobForgone' | 'ReplayJobHeldAll' | 'ReplayLaneEnded' }> | OfItsChains;

export const NO_PROGRESS: ReplayProgress = { redelivered: 0, succeeded: 0, failed: 0, skipped: 0, skipped_reasons: {} };

/**
 * One document for each job. The stream of the job gives its status, and the streams of its chains give its progress.
 */
export const replayJobs: Projection<ReplayJobDocument> = {
  name: 'replayJobs',
  version: 1,
  id: ({ data }: Recorded<string, { replayJobId?: string }>) => data.replayJobId ?? null,
  indexes: [[...OWNER, 'created_at']],
  on: {
    ReplayJobRequested: (_, { data, meta }: Event<'ReplayJobRequested'>) => requested(data, meta.at),
    ReplayJobStarted: (job, { data, meta }: Event<'ReplayJobStarted'>) =>
      job && { ...job, status: 'running', matched: data.matched, started_at: meta.at },
    ReplayJobCompleted: (job, { meta }: Event<'ReplayJobCompleted'>) => job && { ...job, status: 'completed', completed_at: meta.at },
    ReplayJobFailed: (job, { data }: Event<'ReplayJobFailed'>) => job && { ...job, status: 'failed', error: data.error },
    ReplayJobCancelRequested: (job) => job && { ...job, status: 'cancelling' },
    ReplayJobCancelled: (job, { meta }: Event<'ReplayJobCancelled'>) =>
      job && { ...job, ...withoutTheRest(job), status: 'cancelled', cancelled_at: meta.at },
    AttemptSucceeded: (job) => job && { ...job, redelivered: job.redelivered + 1, succeeded: job.succeeded + 1 },
    AttemptFailed: failedOnce,
    AttemptLost: failedOnce,
    ChainSkipped: (job, { data }: Event<'ChainSkipped'>) => job && { ...job, ...skipped(job, data.reason, 1) },
  } satisfies Changes<ReplayJobDocument, Source>,
};

export function shown({ createdFrom, createdTo, endpointId, eventTypes, statuses, includeMissed }: ReplayWindow): WindowShown {
  return {
    created_from: createdFrom,
    created_to: createdTo,
    endpoint_id: endpointId,
    event_types: eventTypes,
    statuses,
    include_missed: includeMissed,
  };
}

function requested({ replayJobId, businessId, mode, ...window }: ReplayJobFacts, at: string): ReplayJobDocument {
  return {
    id: replayJobId,
    object: 'replay_job',
    status: 'pending',
    ...shown(window),
    matched: null,
    ...NO_PROGRESS,
    created_at: at,
    started_at: null,
    completed_at: null,
    cancelled_at: null,
    error: null,
    _business: businessId,
    _mode: mode,
  };
}

function failedOnce(job: ReplayJobDocument | null): ReplayJobDocument | null {
  return job && { ...job, redelivered: job.redelivered + 1, failed: job.failed + 1 };
}

/**
 * Counts the released chains of a cancelled job as skipped, so that `redelivered` and `skipped` add up to `matched`.
 */
function withoutTheRest(job: ReplayJobDocument): Partial<ReplayProgress> {
  const rest = (job.matched ?? 0) - job.redelivered - job.skipped;
  return rest === 0 ? {} : skipped(job, 'cancelled', rest);
}

function skipped(
  { skipped: before, skipped_reasons: reasons }: ReplayJobDocument,
  reason: keyof SkippedReasons,
  count: number,
): Pick<ReplayProgress, 'skipped' | 'skipped_reasons'> {
  return { skipped: before + count, skipped_reasons: { ...reasons, [reason]: (reasons[reason] ?? 0) + count } };
}

import type { RecordedEvent } from '../../kernel/event.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Changes, EventOf, Projection } from '../../kernel/projection.js';
import type { AttemptEndEvent, DeliveryChainEvent, SkipReason } from '../domain/delivery-chain/facts.js';
import type {
  ReplayableStatus,
  ReplayJobError,
  ReplayJobEvent,
  ReplayJobFacts,
  ReplayWindow,
} from '../domain/replay-job.js';

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
export interface ReplayWindowDocument {
  readonly created_from: string;
  readonly created_to: string;
  readonly endpoint_id: string | null;
  readonly event_types: readonly string[];
  readonly statuses: readonly ReplayableStatus[];
  readonly include_missed: boolean;
}

export interface ReplayJobDocument extends Owned, ReplayWindowDocument, ReplayProgress {
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
type ChainSource = AttemptEndEvent | Extract<DeliveryChainEvent, { type: 'DeliveryChainSkipped' }>;
type Source =
  Exclude<ReplayJobEvent, { type: 'ReplayJobAbandoned' | 'ReplayJobAllHeld' | 'ReplayBatchEnded' }> | ChainSource;

export const NO_PROGRESS: ReplayProgress = { redelivered: 0, succeeded: 0, failed: 0, skipped: 0, skipped_reasons: {} };

/**
 * One document for each job. The stream of the job gives its status, and the streams of its chains give its progress.
 */
export const replayJobs: Projection<ReplayJobDocument> = {
  name: 'replayJobs',
  version: 1,
  id: ({ data }: RecordedEvent<string, { replayJobId?: string }>) => data.replayJobId ?? null,
  indexes: [[...OWNER_INDEX, 'created_at']],
  on: {
    ReplayJobRequested: (_, { data, meta }: Event<'ReplayJobRequested'>) => createDocument(data, meta.at),
    ReplayJobStarted: (job, { data, meta }: Event<'ReplayJobStarted'>) =>
      job && { ...job, status: 'running', matched: data.matched, started_at: meta.at },
    ReplayJobCompleted: (job, { meta }: Event<'ReplayJobCompleted'>) =>
      job && { ...job, status: 'completed', completed_at: meta.at },
    ReplayJobFailed: (job, { data }: Event<'ReplayJobFailed'>) =>
      job && { ...job, status: 'failed', error: data.error },
    ReplayJobCancelRequested: (job) => job && { ...job, status: 'cancelling' },
    ReplayJobCancelled: (job, { meta }: Event<'ReplayJobCancelled'>) =>
      job && { ...job, ...skipRemaining(job), status: 'cancelled', cancelled_at: meta.at },
    AttemptSucceeded: (job) => job && { ...job, redelivered: job.redelivered + 1, succeeded: job.succeeded + 1 },
    AttemptFailed: countFailure,
    AttemptLost: countFailure,
    DeliveryChainSkipped: (job, { data }: Event<'DeliveryChainSkipped'>) =>
      job && { ...job, ...countSkipped(job, data.reason, 1) },
  } satisfies Changes<ReplayJobDocument, Source>,
};

export function toWindowDocument({
  createdFrom,
  createdTo,
  endpointId,
  eventTypes,
  statuses,
  includeMissed,
}: ReplayWindow): ReplayWindowDocument {
  return {
    created_from: createdFrom,
    created_to: createdTo,
    endpoint_id: endpointId,
    event_types: eventTypes,
    statuses,
    include_missed: includeMissed,
  };
}

function createDocument({ replayJobId, businessId, mode, ...window }: ReplayJobFacts, at: string): ReplayJobDocument {
  return {
    id: replayJobId,
    object: 'replay_job',
    status: 'pending',
    ...toWindowDocument(window),
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

function countFailure(job: ReplayJobDocument | null): ReplayJobDocument | null {
  return job && { ...job, redelivered: job.redelivered + 1, failed: job.failed + 1 };
}

/**
 * Counts the released chains of a cancelled job as skipped, so that `redelivered` and `skipped` add up to `matched`.
 */
function skipRemaining(job: ReplayJobDocument): Partial<ReplayProgress> {
  const remaining = (job.matched ?? 0) - job.redelivered - job.skipped;
  return remaining === 0 ? {} : countSkipped(job, 'cancelled', remaining);
}

function countSkipped(
  { skipped: before, skipped_reasons: reasons }: ReplayJobDocument,
  reason: keyof SkippedReasons,
  count: number,
): Pick<ReplayProgress, 'skipped' | 'skipped_reasons'> {
  return { skipped: before + count, skipped_reasons: { ...reasons, [reason]: (reasons[reason] ?? 0) + count } };
}

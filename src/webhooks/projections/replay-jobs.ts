import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  list,
  nullable,
  type ObjectOf,
  resource,
  type Schema,
  string,
} from '../../kernel/schema.js';
import type { AttemptEndEvent, DeliveryChainEvent, SkipReason } from '../domain/delivery-chain/facts.js';
import {
  REPLAYABLE_STATUSES,
  type ReplayJobEvent,
  type ReplayJobFacts,
  type ReplayWindow,
} from '../domain/replay-job.js';

const REASONS: readonly (SkipReason | 'cancelled')[] = [
  'changed',
  'endpoint_disabled',
  'expired',
  'attempts_exhausted',
  'cancelled',
];

export type SkippedReasons = Readonly<Partial<Record<SkipReason | 'cancelled', number>>>;

/** The counts by reason, without reasons that did not occur. */
const skippedReasonsSchema: Schema<SkippedReasons> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(REASONS.map((reason) => [reason, integer.schema])),
    additionalProperties: false,
  },
};

/** The public form of a replay window. */
export const windowFields = {
  created_from: dateTime,
  created_to: dateTime,
  endpoint_id: nullable(id('whs')),
  event_types: list(string),
  statuses: list(enumOf(...REPLAYABLE_STATUSES)),
  include_missed: boolean,
};

/** The progress of a job, counted from the events of its chains. */
export const progressFields = {
  redelivered: integer,
  succeeded: integer,
  failed: integer,
  skipped: integer,
  skipped_reasons: skippedReasonsSchema,
};

export const replayJobSchema = resource('ReplayJob', {
  id: id('whj'),
  status: enumOf('pending', 'running', 'completed', 'failed', 'cancelling', 'cancelled'),
  object: enumOf('replay_job'),
  ...windowFields,
  /** Null until the job starts. */
  matched: nullable(integer),
  ...progressFields,
  created_at: dateTime,
  started_at: nullable(dateTime),
  completed_at: nullable(dateTime),
  cancelled_at: nullable(dateTime),
  error: nullable(enumOf('window_too_large', 'service_failure')),
});

export type ReplayWindowDocument = ObjectOf<typeof windowFields>;
export type ReplayProgress = ObjectOf<typeof progressFields>;

export interface ReplayJobDocument extends DocumentOf<typeof replayJobSchema>, Owned {}

type Source =
  | Exclude<ReplayJobEvent, { type: 'ReplayJobAbandoned' | 'ReplayJobAllHeld' | 'ReplayBatchEnded' }>
  | AttemptEndEvent
  | Extract<DeliveryChainEvent, { type: 'DeliveryChainSkipped' }>;

export const NO_PROGRESS: ReplayProgress = { redelivered: 0, succeeded: 0, failed: 0, skipped: 0, skipped_reasons: {} };

/**
 * One document for each job. The stream of the job gives its status, and the streams of its chains give its progress.
 */
export const replayJobs: Projection<ReplayJobDocument, Source> = {
  name: 'replayJobs',
  version: 1,
  id: ({ data }) => data.replayJobId ?? null,
  indexes: [[...OWNER_INDEX, 'created_at']],
  on: {
    ReplayJobRequested: (_, { data, meta }) => createDocument(data, meta.at),
    ReplayJobStarted: (job, { data, meta }) =>
      job && { ...job, status: 'running', matched: data.matched, started_at: meta.at },
    ReplayJobCompleted: (job, { meta }) => job && { ...job, status: 'completed', completed_at: meta.at },
    ReplayJobFailed: (job, { data }) => job && { ...job, status: 'failed', error: data.error },
    ReplayJobCancelRequested: (job) => job && { ...job, status: 'cancelling' },
    ReplayJobCancelled: (job, { meta }) =>
      job && { ...job, ...skipRemaining(job), status: 'cancelled', cancelled_at: meta.at },
    AttemptSucceeded: (job) => job && { ...job, redelivered: job.redelivered + 1, succeeded: job.succeeded + 1 },
    AttemptFailed: countFailure,
    AttemptLost: countFailure,
    DeliveryChainSkipped: (job, { data }) => job && { ...job, ...countSkipped(job, data.reason, 1) },
  },
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

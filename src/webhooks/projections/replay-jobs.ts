import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import {
  boolean,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  integer,
  KIND,
  list,
  nullable,
  type ObjectOf,
  resource,
  type Schema,
  string,
} from '../../kernel/schema.js';
import type { AttemptEndEvent, DeliveryChainEvent, DropReason, SkipReason } from '../domain/delivery-chain/facts.js';
import {
  REPLAY_SCOPES,
  REPLAYABLE_STATUSES,
  type ReplayJobEvent,
  type ReplayJobFacts,
  type ReplayWindow,
} from '../domain/replay-job.js';

const REASONS: Readonly<Record<SkipReason | 'cancelled', string>> = {
  changed: 'The number of delivery chains with another attempt since the selection, or in another replay job.',
  endpoint_disabled: 'The number of delivery chains whose endpoint is disabled or deleted.',
  expired: 'The number of delivery chains whose event was older than 30 days; only in jobs of earlier versions.',
  attempts_exhausted: 'The number of delivery chains without an attempt left.',
  cancelled: 'The number of delivery chains that were not sent before the job was cancelled or failed.',
};

export type SkippedReasons = Readonly<Partial<Record<keyof typeof REASONS, number>>>;

const skippedReasonsSchema: Schema<SkippedReasons> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(REASONS).map(([reason, description]) => [reason, describe(integer, description).schema]),
    ),
    additionalProperties: false,
  },
};

/** The public form of a replay window. */
export const windowFields = {
  scope: describe(
    enumOf(...REPLAY_SCOPES),
    'Which events are sent: those without a success (`failed`), with one (`succeeded`), both (`all`), or those for which the endpoint has no delivery (`never_planned`).',
  ),
  created_from: describe(
    dateTime,
    'The start of the time window (inclusive), in which the last delivery of a chain must be, or the event of a chain without a delivery.',
  ),
  created_to: describe(dateTime, 'The end of the time window (inclusive).', '2026-02-07T09:30:00.000Z'),
  endpoint_id: describe(
    nullable(id('whs')),
    'The endpoint whose delivery chains are selected; null for all endpoints of the business.',
  ),
  event_types: describe(list(string), 'The types of the selected events; an empty list selects every type.'),
  statuses: describe(
    list(enumOf(...REPLAYABLE_STATUSES)),
    'The statuses of the last deliveries of the selected chains; an empty list for a scope other than `failed`.',
  ),
  include_missed: describe(
    boolean,
    'Whether events are selected for which no attempt was made, because their endpoint was disabled.',
  ),
};

/** The progress of a job, counted from the events of its chains. */
export const progressFields = {
  redelivered: describe(
    integer,
    'The number of delivery chains that the job has sent again; in a dry run, would send again.',
  ),
  succeeded: describe(integer, 'The number of these attempts with a 2xx; 0 in a dry run.'),
  failed: describe(integer, 'The number of these attempts without a 2xx; 0 in a dry run.'),
  skipped: describe(integer, 'The number of selected delivery chains that are not sent again.'),
  skipped_reasons: describe(
    skippedReasonsSchema,
    'The skipped delivery chains by reason; a reason that did not occur is left out.',
  ),
};

export const replayJobSchema = resource('ReplayJob', {
  id: describe(id('whj'), 'The id of this object; it never changes.'),
  status: describe(
    enumOf('pending', 'running', 'completed', 'failed', 'cancelling', 'cancelled'),
    'Whether the job waits for its selection (`pending`), sends (`running`), stops (`cancelling`) or has ended (`completed`, `failed` or `cancelled`).',
  ),
  object: describe(enumOf('replay_job'), KIND),
  ...windowFields,
  matched: describe(
    nullable(integer),
    'The number of selected delivery chains, or null before the job starts. It grows while a `never_planned` job runs.',
  ),
  ...progressFields,
  created_at: describe(dateTime, 'The time at which this object was created.'),
  started_at: describe(nullable(dateTime), 'The time at which the job made its selection, or null before that.'),
  completed_at: describe(
    nullable(dateTime),
    'The time at which every selected delivery chain was sent again or skipped, or null before that.',
  ),
  cancelled_at: describe(
    nullable(dateTime),
    'The time at which the job ended because of a cancellation, or null before that.',
  ),
  error: describe(
    nullable(enumOf('window_too_large', 'service_failure', 'endpoint_disabled')),
    'Why the job failed: more than 100,000 delivery chains matched (`window_too_large`), its work failed repeatedly (`service_failure`), or the endpoint of a `never_planned` job was disabled or deleted (`endpoint_disabled`). It is null otherwise.',
  ),
});

export type ReplayWindowDocument = ObjectOf<typeof windowFields>;
export type ReplayProgress = ObjectOf<typeof progressFields>;

export interface ReplayJobDocument extends DocumentOf<typeof replayJobSchema>, Owned {}

type Source =
  | Exclude<ReplayJobEvent, { type: 'ReplayJobAbandoned' | 'ReplayJobAllHeld' | 'ReplayBatchEnded' }>
  | AttemptEndEvent
  | Extract<DeliveryChainEvent, { type: 'DeliveryChainPlanned' | 'DeliveryChainMissed' | 'DeliveryChainSkipped' }>;

export const NO_PROGRESS: ReplayProgress = { redelivered: 0, succeeded: 0, failed: 0, skipped: 0, skipped_reasons: {} };

/**
 * One document for each job. The stream of the job gives its status, and the streams of its chains give its progress.
 */
export const replayJobs: Projection<ReplayJobDocument, Source> = {
  name: 'replayJobs',
  version: 2,
  id: ({ data }) => ('replayJobId' in data ? data.replayJobId : findPlanner(data)) ?? null,
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
    DeliveryChainPlanned: (job) => job && { ...job, matched: (job.matched ?? 0) + 1 },
    DeliveryChainMissed: (job, { data }) => job && { ...job, ...countSkipped(job, toSkipReason(data.reason), 1) },
    DeliveryChainSkipped: (job, { data }) => job && { ...job, ...countSkipped(job, data.reason, 1) },
  },
};

/** Returns the job that planned the chain with this event. Retries of such a chain are no part of the job. */
function findPlanner(data: object): string | undefined {
  const { attempt, plannedBy } = data as { readonly attempt?: number; readonly plannedBy?: string };
  return attempt === undefined ? plannedBy : undefined;
}

function toSkipReason(reason: DropReason): SkipReason | 'cancelled' {
  return reason === 'endpoint_deleted' ? 'endpoint_disabled' : reason;
}

export function toWindowDocument({
  scope,
  createdFrom,
  createdTo,
  endpointId,
  eventTypes,
  statuses,
  includeMissed,
}: ReplayWindow): ReplayWindowDocument {
  return {
    scope,
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

import {
  boolean,
  dateTime,
  enumOf,
  id,
  integer,
  list,
  nullable,
  nullValue,
  resource,
  type Schema,
  string,
} from '../../kernel/schema.js';
import type { SkippedReasons } from '../projections/replay-jobs.js';

const REASONS = ['changed', 'endpoint_disabled', 'expired', 'attempts_exhausted', 'cancelled'];

/** The counts by reason, without reasons that did not occur. */
const reasons: Schema<SkippedReasons> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(REASONS.map((reason) => [reason, integer.schema])),
    additionalProperties: false,
  },
};

const window = {
  object: enumOf('replay_job'),
  created_from: dateTime,
  created_to: dateTime,
  endpoint_id: nullable(id('whs')),
  event_types: list(string),
  statuses: list(enumOf('failed', 'abandoned')),
  include_missed: boolean,
};

const progress = {
  redelivered: integer,
  succeeded: integer,
  failed: integer,
  skipped: integer,
  skipped_reasons: reasons,
};

export const replayJobSchema = resource('ReplayJob', {
  id: id('whj'),
  status: enumOf('pending', 'running', 'completed', 'failed', 'cancelling', 'cancelled'),
  ...window,
  matched: nullable(integer),
  ...progress,
  created_at: dateTime,
  started_at: nullable(dateTime),
  completed_at: nullable(dateTime),
  cancelled_at: nullable(dateTime),
  error: nullable(enumOf('window_too_large', 'service_failure')),
});

export const replayForecastSchema = resource('ReplayForecast', {
  id: nullValue,
  status: nullValue,
  ...window,
  matched: integer,
  ...progress,
  created_at: nullValue,
  started_at: nullValue,
  completed_at: nullValue,
  cancelled_at: nullValue,
  error: nullValue,
});

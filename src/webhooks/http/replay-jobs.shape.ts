import { flag, id, list, nullable, nothing, one, resource, text, time, whole, type Shape } from '../../kernel/schema.js';
import type { SkippedReasons } from '../projections/replay-jobs.js';

const REASONS = ['changed', 'endpoint_disabled', 'expired', 'attempts_exhausted', 'cancelled'];

/** The counts by reason, without reasons that did not occur. */
const reasons: Shape<SkippedReasons> = {
  schema: {
    type: 'object',
    properties: Object.fromEntries(REASONS.map((reason) => [reason, whole.schema])),
    additionalProperties: false,
  },
};

const window = {
  object: one('replay_job'),
  created_from: time,
  created_to: time,
  endpoint_id: nullable(id('whs')),
  event_types: list(text),
  statuses: list(one('failed', 'abandoned')),
  include_missed: flag,
};

const progress = { redelivered: whole, succeeded: whole, failed: whole, skipped: whole, skipped_reasons: reasons };

export const replayJob = resource('ReplayJob', {
  id: id('whj'),
  status: one('pending', 'running', 'completed', 'failed', 'cancelling', 'cancelled'),
  ...window,
  matched: nullable(whole),
  ...progress,
  created_at: time,
  started_at: nullable(time),
  completed_at: nullable(time),
  cancelled_at: nullable(time),
  error: nullable(one('window_too_large', 'service_failure')),
});

export const replayForecast = resource('ReplayForecast', {
  id: nothing,
  status: nothing,
  ...window,
  matched: whole,
  ...progress,
  created_at: nothing,
  started_at: nothing,
  completed_at: nothing,
  cancelled_at: nothing,
  error: nothing,
});

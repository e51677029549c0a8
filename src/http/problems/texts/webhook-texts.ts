import type { ProblemText } from './problem-text.js';

export const WEBHOOK_TEXTS = {
  delivery_in_progress: {
    meaning: 'The delivery is being sent at this moment, so it cannot be replayed.',
    action: 'Wait until the attempt has ended: at most 15 seconds, unless configured otherwise.',
    repeat: 'later',
  },
  delivery_replayed_by_job: {
    meaning:
      'A replay job holds this delivery, or has already sent it again. `detail` names the new delivery when there is one.',
    action:
      'Replay the new delivery that `detail` names: this one stays refused, and the response has no `Retry-After`. When it names none, wait until the replay job has ended (`GET /v1/webhooks/replay-jobs`).',
    repeat: 'laterIfPossible',
  },
  replay_job_conflict: {
    meaning: 'Another replay job is active for the same endpoint. `detail` names it.',
    action: 'Wait until that job has ended, or cancel it.',
    repeat: 'later',
  },
  endpoint_disabled: {
    meaning: 'The endpoint is disabled or deleted, so nothing is sent to it.',
    action: 'Enable the endpoint with `PATCH /v1/webhooks/endpoints/{id}`. A deleted endpoint stays deleted.',
    repeat: 'afterChange',
  },
  expired: {
    meaning: 'The event is older than 30 days and is no longer delivered.',
    action: 'Read the current state of the resource with the API.',
    repeat: 'never',
  },
  attempts_exhausted: {
    meaning: 'The event has used all of its attempts to this endpoint; `max_attempts` is their number.',
    action: 'Read the event with `GET /v1/webhooks/events/{id}`, and process it without a delivery.',
    repeat: 'never',
  },
  replay_job_finished: {
    meaning: 'The replay job has completed or was cancelled, so it cannot be cancelled.',
    action: 'Nothing is left to do. `GET /v1/webhooks/replay-jobs/{id}` shows the result.',
    repeat: 'never',
  },
  window_too_large: {
    meaning: 'The window and the filters select more than 100,000 deliveries.',
    action: 'Create several jobs with shorter windows. `dry_run` counts the deliveries of a window.',
    repeat: 'corrected',
  },
  url_not_allowed: {
    meaning:
      'The URL is not https, contains a user name or a password, or leads to a private address. `detail` names the reason.',
    action: 'Use an https URL of a public host. To receive events on your own machine, use `webhooks listen`.',
    repeat: 'corrected',
  },
  event_type_unknown: {
    meaning: 'There is no event type with this name.',
    action: 'Use a type from `GET /v1/webhooks/event-types`, or `*` for all types.',
    repeat: 'corrected',
  },
  event_type_closed: {
    meaning: 'The event type accepts no new subscriptions. Its `accepts_new_subscriptions` is false.',
    action: 'Remove the type from `event_types`.',
    repeat: 'corrected',
  },
  endpoint_limit_reached: {
    meaning: 'The business has as many endpoints as the service allows: 20 in each mode, unless configured otherwise.',
    action: 'Delete endpoints that are not used.',
    repeat: 'afterChange',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;

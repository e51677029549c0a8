import type { RecordedOf } from '../../kernel/event.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { WhereOf } from '../../kernel/read-models.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  integer,
  KIND,
  nullable,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { DeliveryChainEvent, EndedAttempt } from '../domain/delivery-chain/facts.js';
import { deliveryIdOf } from '../domain/delivery-id.js';
import { PUBLIC_REASONS, toLostFailure, toPublicFailure } from '../domain/public-failure.js';
import { REPLAYABLE_STATUSES, type ReplayableStatus } from '../domain/replay-job.js';

export const failureSchema = describe(
  nullable(
    object({
      reason: describe(
        enumOf(...PUBLIC_REASONS),
        'The kind of failure: a response other than 2xx, an error of the connection, an address that is not public (`blocked_address`), or an event that was not sent or has an unknown outcome (`lost`).',
      ),
      detail: describe(string, 'The failure in a sentence, for people.', 'The receiver answered with status 404.'),
    }),
  ),
  'Why the attempt failed; null after a success.',
);

export const deliveryFields = {
  id: describe(id('whd'), 'The id of this delivery, which is the record of one attempt.'),
  object: describe(enumOf('webhook_delivery'), KIND),
  endpoint: describe(ref('webhook_endpoint', 'whs'), 'The endpoint to which the event was sent.'),
  event_id: describe(id('evt'), 'The id of the public event, the same in all of its deliveries.'),
  event_type: describe(string, 'The type of the public event.'),
  event_version: describe(string, 'The version of the schema of the data of the event.', '1'),
  status: describe(
    enumOf('success', ...REPLAYABLE_STATUSES),
    '`success` after a 2xx, and `failed` after any other outcome. A failed delivery becomes `abandoned` when the next automatic attempt is dropped or none is left.',
  ),
  response_status: describe(nullable(integer), 'The HTTP status of the response; null without a response.', 200),
  attempt: describe(integer, 'The number of this attempt to deliver the event to the endpoint, from 1.'),
  max_attempts: describe(integer, 'The most attempts to deliver the event to the endpoint, including replays.', 20),
  duration_ms: describe(
    nullable(integer),
    'The duration of the attempt up to the end of the response, in ms; null when nothing was sent or the outcome is unknown.',
    120,
  ),
  test: describe(boolean, 'Whether the event is a test event.'),
  delivered_at: describe(
    nullable(dateTime),
    'The time of the 2xx; null after any other outcome.',
    '2026-01-31T09:30:00.000Z',
  ),
  created_at: describe(dateTime, 'The time at which the attempt started.'),
  replayed_from: describe(
    nullable(id('whd')),
    'The id of the delivery that this attempt replays; null when it is not a replay.',
  ),
  replay_job: describe(nullable(ref('replay_job', 'whj')), 'The replay job that started this attempt, or null.'),
  failure: failureSchema,
};

export const deliverySchema = resource('WebhookDelivery', deliveryFields);

export interface DeliveryDocument extends DocumentOf<typeof deliverySchema>, Owned {
  /** The endpoint id while an automatic attempt follows this one; otherwise null. */
  readonly _retried_at_endpoint: string | null;
  /** Few documents have a value in the following fields, which are the keys of sparse indexes. */
  readonly _unsuccessful: ReplayableStatus | null;
  /** The response status other than 2xx, and its first digit. */
  readonly _refusal: number | null;
  readonly _refusal_class: number | null;
  readonly _test: true | null;
}

type DeliveryFilter = WhereOf<DeliveryDocument>;

type Source = Extract<
  DeliveryChainEvent,
  { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' | 'DeliveryChainAbandoned' }
>;

/** One document for each ended attempt. */
export const deliveries: Projection<DeliveryDocument, Source> = {
  name: 'deliveries',
  version: 4,
  stopOnPoison: true,
  id: findRecordIds,
  indexes: [
    [...OWNER_INDEX, 'created_at'],
    [...OWNER_INDEX, 'endpoint.id', 'created_at'],
    [...OWNER_INDEX, 'event_id', 'created_at'],
    [...OWNER_INDEX, 'event_type', 'created_at'],
  ],
  sparse: [
    // The store takes the first index that fits a filter, so the most selective index comes first.
    [...OWNER_INDEX, 'replayed_from', 'created_at'],
    [...OWNER_INDEX, 'replay_job.id', 'created_at'],
    [...OWNER_INDEX, '_test', 'created_at'],
    [...OWNER_INDEX, '_refusal', 'created_at'],
    [...OWNER_INDEX, '_refusal_class', 'created_at'],
    [...OWNER_INDEX, '_unsuccessful', 'created_at'],
    ['_retried_at_endpoint', 'created_at'],
  ],
  on: {
    AttemptSucceeded: (record, { data }) =>
      clearRetry(record) ??
      withIndexKeys({ ...toDocument(data), ...toResponseFields(data), status: 'success', delivered_at: data.endedAt }),
    AttemptFailed: (record, { data }) =>
      clearRetry(record) ??
      withIndexKeys({
        ...toDocument(data),
        ...toResponseFields(data),
        failure: toPublicFailure(data.reason, data),
        _retried_at_endpoint: findRetryingEndpoint(data),
      }),
    AttemptLost: (record, { data }) =>
      clearRetry(record) ??
      withIndexKeys({
        ...toDocument(data),
        failure: toLostFailure(),
        _retried_at_endpoint: findRetryingEndpoint(data),
      }),
    DeliveryChainAbandoned: (record) =>
      record && withIndexKeys({ ...record, status: 'abandoned', _retried_at_endpoint: null }),
  },
};

/** Returns the record of the attempt and the previous record, which is no longer the last one of the chain. */
function findRecordIds({ type, data }: RecordedOf<Source>): readonly string[] {
  return type === 'DeliveryChainAbandoned' || data.attempt === 1
    ? [data.deliveryId]
    : [data.deliveryId, deliveryIdOf(data.chainId, data.attempt - 1)];
}

function clearRetry(record: DeliveryDocument | null): DeliveryDocument | null {
  return record && { ...record, _retried_at_endpoint: null };
}

function withIndexKeys(record: DeliveryDocument): DeliveryDocument {
  const { status, response_status, test } = record;
  const answerClass = response_status === null ? null : Math.floor(response_status / 100);
  return {
    ...record,
    _unsuccessful: status === 'success' ? null : status,
    _refusal: answerClass === 2 ? null : response_status,
    _refusal_class: answerClass === 2 ? null : answerClass,
    _test: test ? true : null,
  };
}

/** Returns a filter by statuses, which uses the index of unsuccessful deliveries when `success` is not among them. */
export function filterByStatus(statuses: readonly DeliveryDocument['status'][]): DeliveryFilter {
  return statuses.includes('success') ? { status: { in: statuses } } : { _unsuccessful: { in: statuses } };
}

/** @param asked a status such as `404`, or a class such as `4xx` */
export function filterByResponseStatus(asked: string): DeliveryFilter {
  const isClass = asked.endsWith('xx');
  if (asked.startsWith('2')) return { response_status: isClass ? { from: 200, to: 299 } : Number(asked) };
  return isClass ? { _refusal_class: Number(asked[0]) } : { _refusal: Number(asked) };
}

export function filterByTest(test: boolean): DeliveryFilter {
  return test ? { _test: true } : { test: false };
}

function toDocument(data: EndedAttempt): DeliveryDocument {
  return {
    id: data.deliveryId,
    object: 'webhook_delivery',
    endpoint: toReference('webhook_endpoint', data.endpointId),
    event_id: data.eventId,
    event_type: data.eventType,
    event_version: data.eventVersion,
    status: 'failed',
    response_status: null,
    attempt: data.attempt,
    max_attempts: data.maxAttempts,
    duration_ms: null,
    test: data.test,
    delivered_at: null,
    created_at: data.startedAt,
    replayed_from: data.replayedFrom,
    replay_job: data.replayJobId === undefined ? null : toReference('replay_job', data.replayJobId),
    failure: null,
    _business: data.businessId,
    _mode: data.mode,
    _retried_at_endpoint: null,
    _unsuccessful: null,
    _refusal: null,
    _refusal_class: null,
    _test: null,
  };
}

function toResponseFields(data: { readonly responseStatus: number | null; readonly durationMs: number | null }) {
  return { response_status: data.responseStatus, duration_ms: data.durationMs };
}

function findRetryingEndpoint(data: {
  readonly endpointId: string;
  readonly nextAttemptAt: string | null;
}): string | null {
  return data.nextAttemptAt === null ? null : data.endpointId;
}

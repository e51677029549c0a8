import '../../../src/features.js';
import { extractCategory, fold } from '../../../src/kernel/decider.js';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';
import type { Position } from '../../../src/kernel/position.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainEvent, KnownDeliveryChain } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { deliveryChainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { endpointDecider, type EndpointEvent } from '../../../src/webhooks/domain/endpoint.js';
import { isSubscribedTo } from '../../../src/webhooks/domain/event-types.js';
import { type PublicEvent, publicEventDecider, publicEventIdOf } from '../../../src/webhooks/domain/public-event.js';
import { findPublication } from '../../../src/webhooks/processes/publications.js';
import type { ReceivedRequest } from '../receiver.js';
import type { WebhookEnvelope } from '../verify-webhook.js';

type RecordedChainEvent = RecordedOf<DeliveryChainEvent>;
type Started = Extract<RecordedChainEvent, { type: 'AttemptStarted' }>;
type End = Extract<RecordedChainEvent, { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' }>;

/**
 * I6: finds facts without their public event, and public events without a delivery chain to a subscribed endpoint. The
 * chain is ended, waiting with a due time, or recorded as missed.
 */
export function findUnpublishedEvents(log: readonly RecordedEvent[]): string[] {
  const recorded = filterCategory(log, publicEventDecider.category);
  const published = new Set(recorded.map(({ data }) => (data as PublicEvent).eventId));
  const unpublished = log.filter((fact) => isToBePublished(fact) && !published.has(publicEventIdOfFact(fact)));
  const [endpoints, chains] = [collectEndpoints(log), groupByChain(log)];
  return [
    ...unpublished.map(({ type, stream }) => `${type} of ${stream} is not published`),
    ...recorded.flatMap((event) => findMissingChains(event, endpoints, chains)),
  ];
}

function isToBePublished(fact: RecordedEvent): boolean {
  return findPublication(fact) !== null && fact.meta.business !== null;
}

function publicEventIdOfFact(fact: RecordedEvent): string {
  return publicEventIdOf(fact.meta.at, fact.id, findPublication(fact)!.type);
}

function findMissingChains(
  recorded: RecordedEvent,
  endpoints: readonly EndpointHistory[],
  chains: ReadonlyMap<string, unknown>,
): string[] {
  const { eventId, occurredAt } = recorded.data as PublicEvent;
  return endpoints
    .filter((endpoint) => isReceiver(recorded, endpoint))
    .filter(({ id }) => !chains.has(deliveryChainIdOf(occurredAt, eventId, id)))
    .map(({ id }) => `${eventId} has no delivery chain to ${id}`);
}

/**
 * The endpoint was created before the event, was never deleted, and has subscribed to the type since then. The exact
 * time at which its delivery chain was planned is not recorded.
 */
function isReceiver({ data, position }: RecordedEvent, { created, subscriptions, deleted }: EndpointHistory): boolean {
  const { type, businessId, mode } = data as PublicEvent;
  const isOwn = created.data.businessId === businessId && created.data.mode === mode;
  if (!isOwn || deleted || created.position > position) return false;
  const atThatTime = subscriptions.findLastIndex(({ since }) => since < position);
  return subscriptions.slice(atThatTime).every(({ eventTypes }) => isSubscribedTo(eventTypes, type));
}

/**
 * I7: finds delivery chains whose attempts are not consecutive from 1, exceed the cap, lack a single end, or differ in
 * `occurredAt`.
 */
export function findBrokenChains(log: readonly RecordedEvent[]): string[] {
  return [...groupByChain(log)].flatMap(([chainId, events]) => {
    const started = events.filter((event): event is Started => event.type === 'AttemptStarted');
    const ended = events.filter(isEnd);
    const numbers = started.map(({ data }) => data.attempt);
    const { facts } = foldChain(events);
    const times = new Set(ended.map(({ data }) => data.occurredAt));
    return [
      ...(numbers.every((attempt, i) => attempt === i + 1)
        ? []
        : [`${chainId} started the attempts ${numbers.join(', ')}`]),
      ...(numbers.length <= facts.maxAttempts ? [] : [`${chainId} has ${numbers.length} attempts`]),
      ...(ended.every(({ data }, i) => data.attempt === i + 1)
        ? []
        : [`${chainId} ended other attempts than it started`]),
      ...(times.size <= 1 ? [] : [`${chainId} has several times of occurrence`]),
    ];
  });
}

/** Finds delivery chains that have not ended. */
export function findOpenChains(log: readonly RecordedEvent[]): string[] {
  return [...groupByChain(log)].flatMap(([chainId, events]) => {
    const { status, attempts, facts } = foldChain(events);
    const isOpen = status === 'waiting' || status === 'sending';
    return isOpen ? [`${chainId} to ${facts.endpointId} is ${status} after ${attempts} attempts`] : [];
  });
}

/**
 * I8: finds answered attempts that no receiver got, requests without a recorded attempt, attempts sent twice, and
 * requests
 * that differ from the recorded event. A receiver may also have got an attempt that is recorded as lost.
 */
export function findUnexpectedRequests(requests: readonly ReceivedRequest[], log: readonly RecordedEvent[]): string[] {
  const seen = Map.groupBy(requests.map(parseEnvelope), ({ delivery_id }) => delivery_id);
  const ends = new Map(
    [...groupByChain(log).values()].flatMap((events) => events.filter(isEnd)).map((end) => [end.data.deliveryId, end]),
  );
  return [
    ...[...ends.values()]
      .filter((end) => wasAnswered(end) && !seen.has(end.data.deliveryId))
      .map(({ data }) => `${data.deliveryId} was never sent`),
    ...[...seen].flatMap(([deliveryId, envelopes]) => describeUnexpected(deliveryId, envelopes, ends.get(deliveryId))),
  ];
}

function describeUnexpected(deliveryId: string, envelopes: readonly WebhookEnvelope[], end: End | undefined): string[] {
  if (end === undefined) return [`${deliveryId} was sent but has no recorded end`];
  const { eventId, occurredAt, attempt } = end.data;
  return [
    ...(envelopes.length === 1 ? [] : [`${deliveryId} was sent ${envelopes.length} times`]),
    ...envelopes
      .filter(({ id, occurred_at, attempt: sent }) => id !== eventId || occurred_at !== occurredAt || sent !== attempt)
      .map(() => `${deliveryId} was sent as another event or attempt`),
  ];
}

function wasAnswered(end: End): boolean {
  return end.type === 'AttemptSucceeded' || (end.type === 'AttemptFailed' && end.data.responseStatus !== null);
}

function parseEnvelope({ body }: ReceivedRequest): WebhookEnvelope {
  return JSON.parse(body) as WebhookEnvelope;
}

function isEnd(event: RecordedChainEvent): event is End {
  return event.type === 'AttemptSucceeded' || event.type === 'AttemptFailed' || event.type === 'AttemptLost';
}

function foldChain(events: readonly RecordedChainEvent[]): KnownDeliveryChain {
  const state = fold(deliveryChainDecider, events as readonly DeliveryChainEvent[]);
  if (state.status === 'unknown') throw new Error(`${events[0]?.stream}: a delivery chain without a first event`);
  return state;
}

function groupByChain(log: readonly RecordedEvent[]): Map<string, RecordedChainEvent[]> {
  return Map.groupBy(
    filterCategory(log, deliveryChainDecider.category) as RecordedChainEvent[],
    ({ data }) => data.chainId,
  );
}

interface EndpointHistory {
  readonly id: string;
  readonly created: Extract<RecordedOf<EndpointEvent>, { type: 'EndpointCreated' }>;
  /** The subscriptions, oldest first. */
  readonly subscriptions: readonly { readonly since: Position; readonly eventTypes: readonly string[] }[];
  readonly deleted: boolean;
}

function collectEndpoints(log: readonly RecordedEvent[]): EndpointHistory[] {
  const byId = Map.groupBy(
    filterCategory(log, endpointDecider.category) as RecordedOf<EndpointEvent>[],
    ({ data }) => data.endpointId,
  );
  return [...byId].flatMap(([id, events]) => {
    const [created] = events;
    if (created?.type !== 'EndpointCreated') return [];
    const deleted = events.some(({ type }) => type === 'EndpointDeleted');
    return [{ id, created, subscriptions: events.flatMap(toSubscriptions), deleted }];
  });
}

function toSubscriptions(event: RecordedOf<EndpointEvent>): EndpointHistory['subscriptions'] {
  const { position: since } = event;
  if (event.type === 'EndpointCreated') return [{ since, eventTypes: event.data.eventTypes }];
  const changed = event.type === 'EndpointEdited' ? event.data.changes.eventTypes : undefined;
  return changed === undefined ? [] : [{ since, eventTypes: changed }];
}

function filterCategory(log: readonly RecordedEvent[], category: string): RecordedEvent[] {
  return log.filter(({ stream }) => extractCategory(stream) === category);
}

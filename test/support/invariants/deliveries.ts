import { categoryOfStream, fold } from '../../../src/kernel/decider.js';
import type { Recorded, RecordedOf } from '../../../src/kernel/event.js';
import type { Position } from '../../../src/kernel/position.js';
import { chain, type ChainEvent, type KnownChain } from '../../../src/webhooks/domain/chain.js';
import { chainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { endpoint, type EndpointEvent } from '../../../src/webhooks/domain/endpoint.js';
import { subscribes } from '../../../src/webhooks/domain/event-types.js';
import { publicEvent, publicEventIdOf, type PublicEvent } from '../../../src/webhooks/domain/public-event.js';
import { publicationOf } from '../../../src/webhooks/processes/publications.js';
import type { Received } from '../receiver.js';
import type { Envelope } from '../verified.js';

type RecordedChainEvent = RecordedOf<ChainEvent>;
type Started = Extract<RecordedChainEvent, { type: 'AttemptStarted' }>;
type End = Extract<RecordedChainEvent, { type: 'AttemptSucceeded' | 'AttemptFailed' | 'AttemptLost' }>;

/**
 * I6: finds facts without their public event, and public events without a delivery chain to a subscribed endpoint. The
 * chain is ended, waiting with a due time, or recorded as missed.
 */
export function untoldEvents(log: readonly Recorded[]): string[] {
  const recorded = ofCategory(log, publicEvent.category);
  const published = new Set(recorded.map(({ data }) => (data as PublicEvent).eventId));
  const unpublished = log.filter((fact) => isToBePublished(fact) && !published.has(publicIdOf(fact)));
  const [endpoints, chains] = [endpointsIn(log), chainsIn(log)];
  return [
    ...unpublished.map(({ type, stream }) => `${type} of ${stream} is not published`),
    ...recorded.flatMap((event) => missingChains(event, endpoints, chains)),
  ];
}

function isToBePublished(fact: Recorded): boolean {
  return publicationOf(fact) !== null && fact.meta.business !== null;
}

function publicIdOf(fact: Recorded): string {
  return publicEventIdOf(fact.meta.at, fact.id, publicationOf(fact)!.type);
}

function missingChains(recorded: Recorded, endpoints: readonly SeenEndpoint[], chains: ReadonlyMap<string, unknown>): string[] {
  const { eventId, occurredAt } = recorded.data as PublicEvent;
  return endpoints
    .filter((endpoint) => isThereFor(recorded, endpoint))
    .filter(({ id }) => !chains.has(chainIdOf(occurredAt, eventId, id)))
    .map(({ id }) => `${eventId} has no delivery chain to ${id}`);
}

/**
 * The endpoint was created before the event, was never deleted, and has subscribed to the type since then. The exact
 * time at which its delivery chain was planned is not recorded.
 */
function isThereFor({ data, position }: Recorded, { created, subscriptions, deleted }: SeenEndpoint): boolean {
  const { type, businessId, mode } = data as PublicEvent;
  const isOwn = created.data.businessId === businessId && created.data.mode === mode;
  if (!isOwn || deleted || created.position > position) return false;
  const atThatTime = subscriptions.findLastIndex(({ since }) => since < position);
  return subscriptions.slice(atThatTime).every(({ eventTypes }) => subscribes(eventTypes, type));
}

/**
 * I7: finds delivery chains whose attempts are not consecutive from 1, exceed the cap, lack a single end, or differ in
 * `occurredAt`.
 */
export function brokenChains(log: readonly Recorded[]): string[] {
  return [...chainsIn(log)].flatMap(([chainId, events]) => {
    const started = events.filter((event): event is Started => event.type === 'AttemptStarted');
    const ended = events.filter(isEnd);
    const numbers = started.map(({ data }) => data.attempt);
    const { facts } = stateOf(events);
    const times = new Set(ended.map(({ data }) => data.occurredAt));
    return [
      ...(numbers.every((attempt, i) => attempt === i + 1) ? [] : [`${chainId} started the attempts ${numbers.join(', ')}`]),
      ...(numbers.length <= facts.maxAttempts ? [] : [`${chainId} has ${numbers.length} attempts`]),
      ...(ended.every(({ data }, i) => data.attempt === i + 1) ? [] : [`${chainId} ended other attempts than it started`]),
      ...(times.size <= 1 ? [] : [`${chainId} has several times of occurrence`]),
    ];
  });
}

/** Finds delivery chains that have not ended. */
export function openChains(log: readonly Recorded[]): string[] {
  return [...chainsIn(log)].flatMap(([chainId, events]) => {
    const { status, attempts, facts } = stateOf(events);
    const isOpen = status === 'waiting' || status === 'sending';
    return isOpen ? [`${chainId} to ${facts.endpointId} is ${status} after ${attempts} attempts`] : [];
  });
}

/**
 * I8: finds answered attempts that no receiver got, requests without a recorded attempt, attempts sent twice, and
 * requests
 * that differ from the recorded event. A receiver may also have got an attempt that is recorded as lost.
 */
export function strangeRequests(requests: readonly Received[], log: readonly Recorded[]): string[] {
  const seen = Map.groupBy(requests.map(envelopeOf), ({ delivery_id }) => delivery_id);
  const ends = new Map([...chainsIn(log).values()].flatMap((events) => events.filter(isEnd)).map((end) => [end.data.deliveryId, end]));
  return [
    ...[...ends.values()]
      .filter((end) => wasAnswered(end) && !seen.has(end.data.deliveryId))
      .map(({ data }) => `${data.deliveryId} was never sent`),
    ...[...seen].flatMap(([deliveryId, envelopes]) => strangeness(deliveryId, envelopes, ends.get(deliveryId))),
  ];
}

function strangeness(deliveryId: string, envelopes: readonly Envelope[], end: End | undefined): string[] {
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

function envelopeOf({ body }: Received): Envelope {
  return JSON.parse(body) as Envelope;
}

function isEnd(event: RecordedChainEvent): event is End {
  return event.type === 'AttemptSucceeded' || event.type === 'AttemptFailed' || event.type === 'AttemptLost';
}

function stateOf(events: readonly RecordedChainEvent[]): KnownChain {
  const state = fold(chain, events as readonly ChainEvent[]);
  if (state.status === 'unknown') throw new Error(`${events[0]?.stream}: a delivery chain without a first event`);
  return state;
}

function chainsIn(log: readonly Recorded[]): Map<string, RecordedChainEvent[]> {
  return Map.groupBy(ofCategory(log, chain.category) as RecordedChainEvent[], ({ data }) => data.chainId);
}

interface SeenEndpoint {
  readonly id: string;
  readonly created: Extract<RecordedOf<EndpointEvent>, { type: 'EndpointCreated' }>;
  /** The subscriptions, oldest first. */
  readonly subscriptions: readonly { readonly since: Position; readonly eventTypes: readonly string[] }[];
  readonly deleted: boolean;
}

function endpointsIn(log: readonly Recorded[]): SeenEndpoint[] {
  const byId = Map.groupBy(ofCategory(log, endpoint.category) as RecordedOf<EndpointEvent>[], ({ data }) => data.endpointId);
  return [...byId].flatMap(([id, events]) => {
    const [created] = events;
    if (created?.type !== 'EndpointCreated') return [];
    const deleted = events.some(({ type }) => type === 'EndpointDeleted');
    return [{ id, created, subscriptions: events.flatMap(subscriptionSince), deleted }];
  });
}

function subscriptionSince(event: RecordedOf<EndpointEvent>): SeenEndpoint['subscriptions'] {
  const { position: since } = event;
  if (event.type === 'EndpointCreated') return [{ since, eventTypes: event.data.eventTypes }];
  const changed = event.type === 'EndpointEdited' ? event.data.changes.eventTypes : undefined;
  return changed === undefined ? [] : [{ since, eventTypes: changed }];
}

function ofCategory(log: readonly Recorded[], category: string): Recorded[] {
  return log.filter(({ stream }) => categoryOfStream(stream) === category);
}

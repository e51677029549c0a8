import { type Decider, extractId } from './decider.js';
import type { EventWithKey, Fact, RecordedEvent, RecordedOf } from './event.js';
import type { EventOf, Projection } from './projection.js';
import { type Reference, toReference } from './reference.js';

/** A kind of resource in the change history. */
export interface AuditedResource {
  /** The value of `object`. Every kind has its own. */
  readonly object: string;
  /** Renders the resource as the API shows it; null for a kind that the API never shows. */
  readonly projection: Projection<object> | null;
  /** The fields that events of other streams determine, such as counts. The history leaves them out. */
  readonly omits: readonly string[];
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list holds the namings of different events */
export interface ResourceNaming<E = any> {
  readonly resource: AuditedResource;
  readonly findId: (event: E) => string;
}

/** Declares to which resource each event of one decider belongs. */
export interface AuditedStream {
  readonly category: string;
  /** Records the events of the streams. */
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- deciders of different nouns side by side */
  readonly decider: Decider<any, any, any>;
  /** The kind of resource whose own streams these are; null: the streams belong to resources of other streams. */
  readonly owner: AuditedResource | null;
  readonly namings: Readonly<Record<string, ResourceNaming>>;
}

/** @param omits the fields that events of other streams determine */
export function createAuditedResource(
  object: string,
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- projections of different documents */
  projection: Projection<any> | null = null,
  omits: readonly string[] = [],
): AuditedResource {
  return { object, projection, omits };
}

/** Names the resource whose id is under this key, which the data of each of the events have. */
export function nameByKey<K extends string>(resource: AuditedResource, key: K): ResourceNaming<EventWithKey<K>> {
  return { resource, findId: ({ data }) => data[key] };
}

/** Names the resource whose id is that of the stream. */
export function nameByStream(resource: AuditedResource): ResourceNaming<Pick<RecordedEvent, 'stream'>> {
  return { resource, findId: ({ stream }) => extractId(stream) };
}

export function nameBy<E extends Fact>(
  resource: AuditedResource,
  findId: (event: RecordedOf<E>) => string,
): ResourceNaming<RecordedOf<E>> {
  return { resource, findId };
}

/**
 * Declares the streams of a decider. @param named the resource whose own streams these are, or the naming of all
 * events @param exceptions the events that belong to another resource
 */
export function auditStream<E extends Fact, X extends E['type'] = never>(
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- the state and the commands have no effect here */
  decider: Decider<any, any, E>,
  named: AuditedResource | ResourceNaming<RecordedOf<Exclude<E, { readonly type: X }>>>,
  exceptions?: { readonly [T in X]: ResourceNaming<EventOf<E, T>> },
): AuditedStream {
  const [owner, naming] = 'findId' in named ? [null, named] : [named, nameByStream(named)];
  const all = Object.fromEntries(Object.keys(decider.versions).map((type) => [type, naming]));
  return { category: decider.category, decider, owner, namings: { ...all, ...exceptions } };
}

export function toResourceReference({ resource, findId }: ResourceNaming, event: RecordedEvent): Reference {
  return toReference(resource.object, findId(event));
}

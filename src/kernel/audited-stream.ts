import { type Decider, extractId } from './decider.js';
import type { Fact, RecordedEvent, RecordedOf } from './event.js';
import type { Projection } from './projection.js';
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

/** Names the resource of an event. */
export interface ResourceNaming {
  readonly resource: AuditedResource;
  readonly findId: (event: RecordedEvent) => string;
}

/** Declares to which resource each event of one decider belongs. */
export interface AuditedStream {
  readonly category: string;
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

/** Names the resource whose id is this key of the event's data. */
export function nameByKey(resource: AuditedResource, key: string): ResourceNaming {
  return { resource, findId: ({ data }) => (data as Readonly<Record<string, string>>)[key]! };
}

/** Names the resource whose id is that of the stream. */
export function nameByStream(resource: AuditedResource): ResourceNaming {
  return { resource, findId: ({ stream }) => extractId(stream) };
}

export function nameBy<E extends Fact>(
  resource: AuditedResource,
  findId: (event: RecordedOf<E>) => string,
): ResourceNaming {
  return { resource, findId: findId as ResourceNaming['findId'] };
}

/**
 * Declares the streams of a decider. @param named the resource whose own streams these are, or the naming of all
 * events @param exceptions the events that belong to another resource
 */
export function auditStream<E extends Fact>(
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- the state and the commands have no effect here */
  { category, versions }: Pick<Decider<any, any, E>, 'category' | 'versions'>,
  named: AuditedResource | ResourceNaming,
  exceptions: { readonly [T in E['type']]?: ResourceNaming } = {},
): AuditedStream {
  const [owner, naming] = 'findId' in named ? [null, named] : [named, nameByStream(named)];
  const all = Object.fromEntries(Object.keys(versions).map((type) => [type, naming]));
  return { category, owner, namings: { ...all, ...(exceptions as AuditedStream['namings']) } };
}

/** Returns the resource of an event. */
export function toResourceReference({ resource, findId }: ResourceNaming, event: RecordedEvent): Reference {
  return toReference(resource.object, findId(event));
}

import type { EventWithKey, Fact, RecordedEvent, RecordedOf, TypesOf } from './event.js';
import type { CollectionSchema, PathOf } from './read-models.js';

export type EventOf<E extends Fact, T extends E['type']> = RecordedEvent<
  string,
  Extract<E, { readonly type: T }>['data']
>;

/**
 * A map with an entry for each of these events: a missing one does not compile. `id` is the id of the document. The
 * entries have a method type, so that projections of different events fit in one list.
 */
export type Changes<D, E extends Fact> = {
  readonly [T in E['type']]: { change(document: D | null, event: EventOf<E, T>, id: string): D | null }['change'];
};

export function changeForEach<D, E extends Fact>(
  types: TypesOf<E>,
  change: (document: D | null, event: RecordedOf<E>, id: string) => D | null,
): Changes<D, E> {
  return Object.fromEntries(types.map((type) => [type, change])) as unknown as Changes<D, E>;
}

export interface Versioned {
  readonly name: string;
  /** Raised when `on`, `id` or the indexes change: each version has its own build. */
  readonly version: number;
}

/**
 * A map from event types to their effect on one document. Each entry is a pure function of that document and one
 * event, so that events can be replayed at any time. The same map renders the response to a write. Top-level keys of
 * a document that begin with `_` serve only to find it, and never leave the service.
 */
/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- most readers of a projection use only its documents */
export interface Projection<D extends object, E extends Fact = any> extends CollectionSchema<PathOf<D>>, Versioned {
  /** Returns the ids of the documents that the event changes; null for none. */
  id(event: RecordedOf<E>): string | readonly string[] | null;
  readonly on: Changes<D, E>;
  /**
   * Commands decide on its documents, or a stream promises to miss none of them: an event that cannot be applied stops
   * the whole projection, so that no document is stale.
   */
  readonly stopOnPoison?: true;
  /** Each document is made of one event and never changes: it is saved without being loaded. */
  readonly insertOnly?: true;
  /**
   * For this time events are collected and then saved together: several events then share the pages of the indexes that
   * a commit writes. A read that waits for the projection ends the time. Only for projections with few reads.
   */
  readonly collectMs?: number;
  /**
   * Returns the id under which a copy of this state of the document is stored, or null for no copy. A copy never
   * changes.
   */
  copyId?(document: D): string | null;
  /** The fields that count events of other streams, so that the stream of the document does not hold them. */
  readonly counts?: readonly PathOf<D>[];
  /** The number of shards that a build processes in parallel. Default: 4. */
  readonly shards?: number;
}

/** Returns a function that reads the document id from this key, which the data of each of the events have. */
export function pickId<K extends string>(key: K): (event: EventWithKey<K>) => string {
  return ({ data }) => data[key];
}

/** Returns the name of a projection version, under which its builds are listed: `products@1`. */
export function collectionOf({ name, version }: Versioned): string {
  return `${name}@${version}`;
}

/** Returns the name of one build, of its collection and of its checkpoint: `products@1#2`. */
export function buildOf(name: string, n: number): string {
  return `${name}#${n}`;
}

export function toDocumentIds<D extends object>(projection: Projection<D>, event: RecordedEvent): readonly string[] {
  if (!Object.hasOwn(projection.on, event.type)) return [];
  const ids = projection.id(event);
  if (ids === null) return [];
  return typeof ids === 'string' ? [ids] : ids;
}

/** @param id the id of the document, which may not exist yet */
export function apply<D extends object>(
  projection: Projection<D>,
  document: D | null,
  event: RecordedEvent,
  id: string,
): D | null {
  return projection.on[event.type]!(document, event, id);
}

/**
 * Renders one document from its events, exactly as the read model will hold it. @throws when the history does not
 * create it
 */
export function render<D extends object>(projection: Projection<D>, id: string, history: readonly RecordedEvent[]): D {
  return requireDocument(projection, id, renderOrNull(projection, id, history));
}

/** Renders one document from its events, or continues it; null when it is not created, or deleted. */
export function renderOrNull<D extends object>(
  projection: Projection<D>,
  id: string,
  history: readonly RecordedEvent[],
  document: D | null = null,
): D | null {
  return history
    .filter((event) => toDocumentIds(projection, event).includes(id))
    .reduce<D | null>((current, event) => apply(projection, current, event, id), document);
}

export function requireDocument<D extends object>(projection: Projection<D>, id: string, document: D | null): D {
  if (document === null) throw new Error(`${projection.name}: the history contains no document ${id}`);
  return document;
}

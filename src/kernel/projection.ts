import type { Fact, Recorded, RecordedOf } from './event.js';
import type { Shape } from './read-models.js';

/** One event of a noun, as recorded. */
export type EventOf<E extends Fact, T extends E['type']> = Recorded<string, Extract<E, { readonly type: T }>['data']>;

/** An entry for each of these events: a missing one does not compile. A method's type, so that projections of different events fit one list. */
export type Changes<D, E extends Fact> = {
  readonly [T in E['type']]: { change(document: D | null, event: EventOf<E, T>): D | null }['change'];
};

export interface Versioned {
  readonly name: string;
  /** Raised when `on`, `id` or the indexes change: another version is another build. */
  readonly version: number;
}

/**
 * A map from event types to their effect on one document: a pure function of that document and one event, so that it can be replayed
 * at any time. The same map renders the answer to a write.
 * In a document, keys of the top level that begin with `_` are for finding it, and never leave the service.
 */
/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- most readers of a projection care for its documents alone */
export interface Projection<D extends object, E extends Fact = any> extends Shape, Versioned {
  /** The documents that the event touches; null for none. */
  id(event: RecordedOf<E>): string | readonly string[] | null;
  readonly on: Changes<D, E>;
  /** Something is decided by what it holds: an event that cannot be folded stops it whole, rather than leave its document behind. */
  readonly decides?: true;
  /** Into how many parts a build divides its documents, to work on them side by side: 4 unless told. */
  readonly shards?: number;
}

/** The document that an event names under this key of its data. */
export function idIn(key: string): (event: Recorded) => string {
  return ({ data }) => (data as Readonly<Record<string, string>>)[key]!;
}

/** Name of a projection's version, under which its builds are listed: `products@1`. */
export function collectionOf({ name, version }: Versioned): string {
  return `${name}@${version}`;
}

/** Name of one build of it, and of where the build is kept and how far it has come: `products@1#2`. */
export function buildOf(name: string, n: number): string {
  return `${name}#${n}`;
}

/** The documents that an event touches. */
export function idsOf<D extends object>(projection: Projection<D>, event: Recorded): readonly string[] {
  if (!Object.hasOwn(projection.on, event.type)) return [];
  const ids = projection.id(event);
  if (ids === null) return [];
  return typeof ids === 'string' ? [ids] : ids;
}

export function apply<D extends object>(projection: Projection<D>, document: D | null, event: Recorded): D | null {
  return projection.on[event.type]!(document, event);
}

/** One document as a history tells it: what the read model will hold, rendered from the events themselves. */
export function render<D extends object>(projection: Projection<D>, id: string, history: readonly Recorded[]): D {
  return there(projection, id, documentIn(projection, id, history));
}

/** Null where the history holds nothing of it, or it is gone. */
export function documentIn<D extends object>(projection: Projection<D>, id: string, history: readonly Recorded[]): D | null {
  return history
    .filter((event) => idsOf(projection, event).includes(id))
    .reduce<D | null>((current, event) => apply(projection, current, event), null);
}

export function there<D extends object>(projection: Projection<D>, id: string, document: D | null): D {
  if (document === null) throw new Error(`${projection.name}: the history holds nothing of ${id}`);
  return document;
}

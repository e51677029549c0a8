import type { Decider } from './decider.js';
import type { Fact, RecordedEvent } from './event.js';
import { fieldChanges } from './field-changes.js';
import type { EventOf, Projection } from './projection.js';
import { describe, named, nullable, type Resource } from './schema.js';

/** A type of public event, as receivers know it. */
export interface PublicEventDefinition {
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  /** The resource that is its data; missing when the service does not send the type yet. */
  readonly schema?: Resource;
  /** There are so many events of the type that `*` does not select them: endpoints subscribe to the type by its name. */
  readonly floods?: true;
}

/** The sources of a publication beside the stream of its fact. Each has all facts up to its own. */
export interface PublicationSources {
  loadState<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string): Promise<S>;
  /** Returns the document of a read model; null when it does not exist. */
  readDocument<D extends object>(projection: Projection<D>, id: string): Promise<D | null>;
  /** Returns a document that is stored beside the projections and is in no event; null when it does not exist. */
  readStored(collection: string, id: string): Promise<object | null>;
}

/** A public event that follows from a fact of an area. */
export interface Publication extends PublicEventDefinition {
  readonly schema: Resource;
  /** The type of the domain event. Its stream holds every event that the document needs. */
  readonly fact: string;
  /** Other domain events of the same stream that have the same meaning for receivers. */
  readonly also?: readonly string[];
  readonly projection: Projection<object>;
  /** Adds what other streams and the event determine, since the data is the resource as the API answers it. */
  complete?(document: object, sources: PublicationSources, event: RecordedEvent): Promise<object>;
  /**
   * The event means a change of a resource that may have existed before: it tells the fields that differ. The document
   * before is completed from the same sources, so that a field changes only by the facts of its own stream.
   */
  readonly change?: true;
  /** Selects the events to publish; without it, every event is published that no other publication of the fact selects. */
  only?(event: RecordedEvent): boolean;
  /** True if the event alone determines its document, so that the stream, which may be long, is not read. */
  readonly alone?: true;
}

/** The fields that an event changed, as its envelope and the API show them. */
export const eventChanges = named(
  'EventChanges',
  nullable(
    describe(
      fieldChanges,
      'The fields of `data` that the change moved, by name, with their values before and after it; null for an event that means no change.',
      { status: { before: 'scheduled', after: 'active' } },
    ),
  ),
);

/** A public event of an area; one that follows from no fact is sent on request. */
export type PublicEventDeclaration = PublicEventDefinition | Publication;

interface Row<D extends object, E extends Fact, T extends E['type']> extends Publication {
  readonly fact: T;
  readonly also?: readonly E['type'][];
  readonly projection: Projection<D, E>;
  readonly schema: Resource<Partial<NoInfer<D>>>;
  complete?(document: NoInfer<D>, sources: PublicationSources, event: EventOf<E, T>): Promise<NoInfer<D>>;
  only?(event: EventOf<E, T>): boolean;
}

/** Defines a public event of a fact. The projection applies the fact, and its documents have the schema. */
export function publish<D extends object, E extends Fact, T extends E['type']>(row: Row<D, E, T>): Publication {
  return row;
}

/**
 * Returns a completion with the fields that count events of other streams: likes, members, downloads. They are as new as
 * the event or newer.
 */
export function addCounts<D extends object>(
  projection: Projection<D>,
): (document: D, sources: PublicationSources) => Promise<D> {
  const counts = (projection.counts ?? []) as readonly (keyof D)[];
  return async (document, sources) => {
    const found = await sources.readDocument(projection, (document as { readonly id: string } & D).id);
    if (found === null) return document;
    return { ...document, ...Object.fromEntries(counts.map((name) => [name, found[name]])) };
  };
}

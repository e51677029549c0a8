import type { RecordedEvent } from '../../kernel/event.js';
import type { Publication } from '../../kernel/public-event-definition.js';
import { PUBLIC_EVENTS } from '../../public-events.js';

/** The published events by the types of their facts. */
export const PUBLICATIONS: ReadonlyMap<string, Publication> = new Map(
  PUBLIC_EVENTS.flatMap((event) =>
    'fact' in event ? [event.fact, ...(event.also ?? [])].map((fact) => [fact, event]) : [],
  ),
);

/** Returns the publication of this event, or null when the event is not published. */
export function findPublication(event: RecordedEvent): Publication | null {
  const publication = PUBLICATIONS.get(event.type);
  return publication === undefined || publication.only?.(event) === false ? null : publication;
}

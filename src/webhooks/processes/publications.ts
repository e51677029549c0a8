import { derive } from '../../kernel/declarations.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Publication } from '../../kernel/public-event-definition.js';

/** Maps the type of each published fact to its public event. */
export const mapPublications = derive(
  ({ publicEvents }): ReadonlyMap<string, Publication> =>
    new Map(
      publicEvents.flatMap((event) =>
        'fact' in event ? [event.fact, ...(event.also ?? [])].map((fact) => [fact, event]) : [],
      ),
    ),
);

/** Returns the publication of this event, or null when the event is not published. */
export function findPublication(event: RecordedEvent): Publication | null {
  const publication = mapPublications().get(event.type);
  return publication === undefined || publication.only?.(event) === false ? null : publication;
}

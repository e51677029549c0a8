import { derive } from '../../kernel/declarations.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Publication } from '../../kernel/public-event-definition.js';

/** Maps the type of each published fact to its public events; those that select some of the facts come first. */
export const mapPublications = derive(({ publicEvents }): ReadonlyMap<string, readonly Publication[]> => {
  const pairs = publicEvents.flatMap((event) =>
    'fact' in event ? [event.fact, ...(event.also ?? [])].map((fact) => ({ fact, event })) : [],
  );
  const rankOf = (publication: Publication) => ('only' in publication ? 0 : 1);
  return new Map(
    [...Map.groupBy(pairs, ({ fact }) => fact)].map(([fact, group]) => [
      fact,
      group.map(({ event }) => event).sort((a, b) => rankOf(a) - rankOf(b)),
    ]),
  );
});

/** Returns the publication of this event, or null when the event is not published. */
export function findPublication(event: RecordedEvent): Publication | null {
  const publications = mapPublications().get(event.type) ?? [];
  return publications.find((publication) => publication.only?.(event) !== false) ?? null;
}

import { derive } from '../kernel/declarations.js';
import type { FieldError } from '../kernel/rejection.js';
import { boolean, describe, type DocumentOf, enumOf, KIND, type Resource, resource, string } from '../kernel/schema.js';
import { EVERY_TYPE, isSubscribedTo, listPrefixes, TEST_TYPE } from './domain/event-types.js';

export const eventTypeSchema = resource('EventType', {
  id: describe(string, 'The name of the type; endpoints subscribe by it.', 'cart.order.completed'),
  object: describe(enumOf('event_type'), KIND),
  category: describe(string, 'The first part of the id, which related types share.', 'cart'),
  summary: describe(string, 'The event in a few words.', 'An order was completed'),
  description: describe(string, 'When the service sends such an event.', 'A checkout succeeded.'),
  accepts_new_subscriptions: describe(boolean, 'Whether endpoints can subscribe to the type.', true),
  included_in_all: describe(
    boolean,
    'Whether `*` selects the type. It leaves out types with very many events: an endpoint names these, or a prefix such as `community.message.*`.',
    true,
  ),
  sent: describe(boolean, 'Whether the service already sends events of this type.', true),
});

export type EventType = DocumentOf<typeof eventTypeSchema>;

/** Lists the types, sorted by id. The first part of the id is the category. */
export const listEventTypes = derive(({ publicEvents }): readonly EventType[] =>
  publicEvents.map(({ type, summary, description, schema, floods }) => ({
    id: type,
    object: 'event_type',
    category: type.slice(0, type.indexOf('.')),
    summary,
    description,
    accepts_new_subscriptions: type !== TEST_TYPE,
    included_in_all: type !== TEST_TYPE && floods === undefined,
    sent: schema !== undefined,
  })),
);

export const listEventTypeIds = derive((): readonly string[] => listEventTypes().map(({ id }) => id));

/** Lists the filters of types: the ids, and their prefixes such as `community.*`. */
export const listEventTypeFilters = derive((): readonly string[] =>
  [...new Set(listEventTypeIds().flatMap((id) => [id, ...listPrefixes(id)]))].sort(),
);

/** Returns the ids that these filters select. */
export function expandEventTypes(filters: readonly string[]): readonly string[] {
  return listEventTypeIds().filter((id) => isSubscribedTo(filters, id));
}

const deriveTypes = derive(() => new Map(listEventTypes().map((type) => [type.id, type])));
const deriveOpenPrefixes = derive(
  () => new Set(listEventTypes().flatMap(({ id, accepts_new_subscriptions: open }) => (open ? listPrefixes(id) : []))),
);
const deriveSchemas = derive(({ publicEvents }) => new Map(publicEvents.map(({ type, schema }) => [type, schema])));

/** Lists the types that the service sends, with the schema of their data. */
export const listEventDescriptions = derive(({ publicEvents }) =>
  publicEvents.flatMap((event) => (event.schema === undefined ? [] : [{ ...event, data: event.schema }])),
);

export function findEventType(id: string): EventType | null {
  return deriveTypes().get(id) ?? null;
}

/** Returns the schema of the data of a type; null when the service does not send the type yet. */
export function findDataSchema(id: string): Resource | null {
  return deriveSchemas().get(id) ?? null;
}

/** Returns the errors in a list of subscribed types. Each must be known and open, or begin one that is, or the list is only `*`. */
export function findEventTypeErrors(eventTypes: readonly string[]): readonly FieldError[] {
  if (eventTypes.every((id) => id === EVERY_TYPE)) return [];
  return eventTypes.flatMap((id, i) => findError(id, `event_types[${i}]`) ?? []);
}

function findError(id: string, param: string): FieldError | null {
  if (id === EVERY_TYPE)
    return { code: 'invalid_value', detail: '"*" means every type and must be the only value.', param };
  if (deriveOpenPrefixes().has(id)) return null;
  const type = findEventType(id);
  if (type === null) return { code: 'event_type_unknown', detail: 'The event type does not exist.', param };
  return type.accepts_new_subscriptions
    ? null
    : { code: 'event_type_closed', detail: 'Endpoints cannot subscribe to this event type.', param };
}

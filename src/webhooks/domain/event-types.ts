import type { FieldError } from '../../kernel/rejection.js';
import { CATALOGUE } from './event-catalogue.js';

export const EVERY_TYPE = '*';
export const TEST_TYPE = 'webhook.test';
/** The version of the data of every type so far. Only a breaking change raises the version of a type. */
export const FIRST_VERSION = '1';

/** A public event type of the API. */
export interface EventType {
  readonly id: string;
  readonly object: 'event_type';
  readonly category: string;
  readonly summary: string;
  readonly description: string;
  readonly accepts_new_subscriptions: boolean;
  /** True when the service already records events of this type. */
  readonly sent: boolean;
}

/** Sorted by id. */
export const EVENT_TYPES: readonly EventType[] = CATALOGUE.map(({ id, summary, description, sent }) => ({
  id,
  object: 'event_type' as const,
  category: id.slice(0, id.indexOf('.')),
  summary,
  description,
  accepts_new_subscriptions: id !== TEST_TYPE,
  sent,
})).sort((a, b) => (a.id < b.id ? -1 : 1));

export const EVENT_TYPE_IDS: readonly string[] = EVENT_TYPES.map(({ id }) => id);

const BY_ID = new Map(EVENT_TYPES.map((type) => [type.id, type]));

export function findEventType(id: string): EventType | null {
  return BY_ID.get(id) ?? null;
}

export function isSubscribedTo(eventTypes: readonly string[], type: string): boolean {
  return eventTypes.includes(EVERY_TYPE) || eventTypes.includes(type);
}

/** Returns the errors in a list of subscribed types. Each type must be known and open, or the list is only `*`. */
export function findEventTypeErrors(eventTypes: readonly string[]): readonly FieldError[] {
  if (eventTypes.every((id) => id === EVERY_TYPE)) return [];
  return eventTypes.flatMap((id, i) => findError(id, `event_types[${i}]`) ?? []);
}

function findError(id: string, param: string): FieldError | null {
  if (id === EVERY_TYPE)
    return { code: 'invalid_value', detail: '"*" means every type and must be the only value.', param };
  const type = findEventType(id);
  if (type === null) return { code: 'event_type_unknown', detail: 'The event type does not exist.', param };
  return type.accepts_new_subscriptions
    ? null
    : { code: 'event_type_closed', detail: 'Endpoints cannot subscribe to this event type.', param };
}

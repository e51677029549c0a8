import type { Fault } from '../../kernel/rejection.js';
import { CATALOGUE } from './event-catalogue.js';

export const EVERY_TYPE = '*';
export const TEST_TYPE = 'webhook.test';
/** Of the data of every type so far; a type's own is raised on a breaking change only. */
export const FIRST_VERSION = '1';

/** A public event type, as the API shows it. */
export interface EventType {
  readonly id: string;
  readonly object: 'event_type';
  readonly category: string;
  readonly summary: string;
  readonly description: string;
  readonly accepts_new_subscriptions: boolean;
  /** The service records such events today. */
  readonly sent: boolean;
}

/** By id. */
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

export function eventTypeOf(id: string): EventType | null {
  return BY_ID.get(id) ?? null;
}

export function subscribes(eventTypes: readonly string[], type: string): boolean {
  return eventTypes.includes(EVERY_TYPE) || eventTypes.includes(type);
}

/** What is wrong with a list of types to subscribe to, as the caller wrote it: each a known, open one, or `*` alone. */
export function faultsInEventTypes(eventTypes: readonly string[]): readonly Fault[] {
  if (eventTypes.every((id) => id === EVERY_TYPE)) return [];
  return eventTypes.flatMap((id, i) => faultIn(id, `event_types[${i}]`) ?? []);
}

function faultIn(id: string, param: string): Fault | null {
  if (id === EVERY_TYPE) return { code: 'invalid_value', detail: '"*" stands alone: it means every type.', param };
  const type = eventTypeOf(id);
  if (type === null) return { code: 'event_type_unknown', detail: 'There is no such event type.', param };
  return type.accepts_new_subscriptions ? null : { code: 'event_type_closed', detail: 'This event type takes no subscriptions.', param };
}

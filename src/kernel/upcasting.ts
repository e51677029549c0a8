import type { Fact, Meta, RecordedEvent } from './event.js';
import { StoreUnavailable } from './event-store.js';
import { readMeta } from './unreadable-event.js';

/** Converts an event of an older schema version when it is read; the stored event never changes. */
export type Upcaster = (event: RecordedEvent) => RecordedEvent;

/**
 * Upcasters by event type and the version they apply to: `'ProductCreated@1'`. Each has a frozen fixture in the
 * tests.
 */
export type Upcasters = Readonly<Record<string, Upcaster>>;

/** Every event type that the code knows, with the newest version of its schema. */
export type Versions = Readonly<Record<string, number>>;

/**
 * Newer code has recorded the event: this code does not know its type or its version. It is never applied, because
 * the result would be wrong and could be recorded. Callers handle it like an unavailable store: they retry and never
 * park it.
 */
export class NewerEvent extends StoreUnavailable {
  constructor(type: string, v: number) {
    super(`${type}@${v} was recorded by a newer version of the service`, false);
    this.name = 'NewerEvent';
  }
}

/** The stored events of those that an upcaster has converted. */
const storedForms = new WeakMap<RecordedEvent, RecordedEvent>();

export function upcast(event: RecordedEvent, upcasters: Upcasters): RecordedEvent {
  let current = event;
  for (let step = upcasters[upcasterKeyOf(current)]; step !== undefined; step = upcasters[upcasterKeyOf(current)])
    current = step(current);
  if (current !== event) keepStoredForm(current, event);
  return current;
}

export function keepStoredForm(converted: RecordedEvent, stored: RecordedEvent): void {
  storedForms.set(converted, stored);
}

/** Returns the event as it is stored, before any upcaster. */
export function toStoredForm(event: RecordedEvent): RecordedEvent {
  return storedForms.get(event) ?? event;
}

/**
 * Refuses an unknown type or version. An event without `meta` has just been decided by this code. @throws NewerEvent
 */
export function assertKnownVersion(event: Fact & { readonly meta?: Pick<Meta, 'v'> }, versions: Versions): void {
  const { type } = event;
  const v = readMeta(event)?.v ?? 1;
  if (!Object.hasOwn(versions, type) || v > versions[type]!) throw new NewerEvent(type, v);
}

function upcasterKeyOf({ type, meta }: RecordedEvent): string {
  return `${type}@${meta.v}`;
}

import type { Fact, Meta, Recorded } from './event.js';
import { StoreUnavailable } from './event-store.js';

/** Brings an event of an older shape up to date when it is read; what is stored never changes. */
export type Upcaster = (event: Recorded) => Recorded;

/** By event type and the version it applies to: `'ProductCreated@1'`. Each has a frozen fixture under test. */
export type Upcasters = Readonly<Record<string, Upcaster>>;

/** Every event type that the code knows, with the newest version of its shape. */
export type Versions = Readonly<Record<string, number>>;

/**
 * The event was recorded by newer code: this code does not know its type, or not this version of it. It is never folded, since the
 * result would be wrong and could be recorded. To callers it is a store that is unavailable: retried, and never parked.
 */
export class NewerEvent extends StoreUnavailable {
  constructor(type: string, v: number) {
    super(`${type}@${v} was recorded by a newer version of the service`, false);
    this.name = 'NewerEvent';
  }
}

export function upcast(event: Recorded, upcasters: Upcasters): Recorded {
  let current = event;
  for (let step = upcasters[keyOf(current)]; step !== undefined; step = upcasters[keyOf(current)]) current = step(current);
  return current;
}

/** An event without `meta` is one that this code has just decided. @throws NewerEvent */
export function refuseNewer({ type, meta }: Fact & { readonly meta?: Pick<Meta, 'v'> }, versions: Versions): void {
  const v = meta?.v ?? 1;
  if (!Object.hasOwn(versions, type) || v > versions[type]!) throw new NewerEvent(type, v);
}

function keyOf({ type, meta }: Recorded): string {
  return `${type}@${meta.v}`;
}

import type { Recorded } from './event.js';

/** Brings an event of an older shape up to date when it is read; what is stored never changes. */
export type Upcaster = (event: Recorded) => Recorded;

/** By event type and the version it applies to: `'ProductCreated@1'`. Each has a frozen fixture under test. */
export type Upcasters = Readonly<Record<string, Upcaster>>;

export function upcast(event: Recorded, upcasters: Upcasters): Recorded {
  let current = event;
  for (let step = upcasters[keyOf(current)]; step !== undefined; step = upcasters[keyOf(current)]) current = step(current);
  return current;
}

function keyOf({ type, meta }: Recorded): string {
  return `${type}@${meta.v}`;
}

import type { EventPlace, Recorded } from '../../kernel/event.js';
import type { KeptClaim } from '../../kernel/idempotency.js';
import type { KeptJob } from '../../kernel/jobs.js';
import type { Position } from '../../kernel/position.js';

/** An event as it moves: its position is its store's alone. */
export type MovedEvent = Omit<Recorded, 'position'>;

/** What moves beside the log, since no rebuild brings it back. */
export type Belonging =
  /** In base64, as the master key has sealed it; null once it is destroyed. */
  | { readonly record: 'key'; readonly id: string; readonly sealed: string | null }
  | ({ readonly record: 'claim' } & KeptClaim)
  | ({ readonly record: 'job' } & KeptJob)
  /** Side data, which no event tells. */
  | { readonly record: 'note'; readonly collection: string; readonly id: string; readonly position: Position; readonly document: object }
  /** The last event that a reactor is done with; null when it has begun with none. */
  | { readonly record: 'checkpoint'; readonly name: string; readonly event: EventPlace | null };

export type Kind = Belonging['record'];

/** How much of each there is. */
export type Counts = Readonly<Record<Kind, number>>;

export const NOTHING: Counts = { key: 0, claim: 0, job: 0, note: 0, checkpoint: 0 };

export function counted(counts: Counts, { record }: Belonging): Counts {
  return { ...counts, [record]: counts[record] + 1 };
}

/** Neighbours that belong together, so many at most. */
export async function* grouped<T>(items: AsyncIterable<T>, belong: (a: T, b: T) => boolean, max: number): AsyncIterable<readonly T[]> {
  let group: T[] = [];
  for await (const item of items) {
    if (group.length === max || (group.length > 0 && !belong(group[0]!, item))) {
      yield group;
      group = [];
    }
    group.push(item);
  }
  if (group.length > 0) yield group;
}

import type { EventPlace, Recorded } from '../../kernel/event.js';
import type { KeptClaim } from '../../kernel/idempotency.js';
import type { KeptJob } from '../../kernel/jobs.js';
import type { Position } from '../../kernel/position.js';

/** An event in a migration. It has no position, because each store assigns its own positions. */
export type MovedEvent = Omit<Recorded, 'position'>;

/** A record other than an event that a migration copies, because no rebuild can recreate it. */
export type Belonging =
  /** A data key in base64, encrypted with the master key; null when it is destroyed. */
  | { readonly record: 'key'; readonly id: string; readonly sealed: string | null }
  | ({ readonly record: 'claim' } & KeptClaim)
  | ({ readonly record: 'job' } & KeptJob)
  /** Side data, which no event contains. */
  | { readonly record: 'note'; readonly collection: string; readonly id: string; readonly position: Position; readonly document: object }
  /** The last event that a reactor has completed; null when it has not completed any. */
  | { readonly record: 'checkpoint'; readonly name: string; readonly event: EventPlace | null };

export type Kind = Belonging['record'];

/** Number of records of each kind. */
export type Counts = Readonly<Record<Kind, number>>;

export const NOTHING: Counts = { key: 0, claim: 0, job: 0, note: 0, checkpoint: 0 };

export function counted(counts: Counts, { record }: Belonging): Counts {
  return { ...counts, [record]: counts[record] + 1 };
}

/** Groups consecutive items that belong together, at most `max` in a batch. */
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

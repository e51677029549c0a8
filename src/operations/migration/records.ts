import type { EventRef, RecordedEvent } from '../../kernel/event.js';
import type { StoredClaim } from '../../kernel/idempotency.js';
import type { StoredJob } from '../../kernel/jobs.js';
import type { Position } from '../../kernel/position.js';

/** An event in a migration. It has no position, because each store assigns its own positions. */
export type PortableEvent = Omit<RecordedEvent, 'position'>;

/** A record other than an event that a migration copies, because no rebuild can recreate it. */
export type MigrationRecord =
  /** A data key in base64, encrypted with the master key; null when it is destroyed. */
  | { readonly record: 'key'; readonly id: string; readonly sealed: string | null }
  | ({ readonly record: 'claim' } & StoredClaim)
  | ({ readonly record: 'job' } & StoredJob)
  /** Side data, which no event contains. */
  | {
      readonly record: 'note';
      readonly collection: string;
      readonly id: string;
      readonly position: Position;
      readonly document: object;
    }
  /** The last event that a reactor has completed; null when it has not completed any. */
  | { readonly record: 'checkpoint'; readonly name: string; readonly event: EventRef | null };

export type RecordKind = MigrationRecord['record'];

/** Number of records of each kind. */
export type RecordCounts = Readonly<Record<RecordKind, number>>;

export const NO_RECORDS: RecordCounts = { key: 0, claim: 0, job: 0, note: 0, checkpoint: 0 };

export function countRecord(counts: RecordCounts, { record }: MigrationRecord): RecordCounts {
  return { ...counts, [record]: counts[record] + 1 };
}

/** Groups consecutive items that belong together, at most `max` in a batch. */
export async function* toBatches<T>(
  items: AsyncIterable<T>,
  isSameBatch: (a: T, b: T) => boolean,
  max: number,
): AsyncIterable<readonly T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.length === max || (batch.length > 0 && !isSameBatch(batch[0]!, item))) {
      yield batch;
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) yield batch;
}

import type { EventRef, RecordedEvent } from '../../kernel/event.js';
import type { StoredClaim } from '../../kernel/idempotency.js';
import type { StoredJob } from '../../kernel/jobs.js';
import type { Position } from '../../kernel/position.js';

/** An event in a migration, without a position when it comes from a file. Each store assigns its own positions. */
export type PortableEvent = Omit<RecordedEvent, 'position'> & { readonly position?: Position };

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

export type RecordCounts = Readonly<Record<RecordKind, number>>;

/** A migration reads and writes the events in log order, then the other records. */
export type MigrationItem = PortableEvent | MigrationRecord;

export function isEvent(item: object): item is PortableEvent {
  return 'stream' in item;
}

/** Returns the part of an event that is the same in every store. */
export function withoutPosition({ id, type, stream, revision, data, meta }: PortableEvent): PortableEvent {
  return { id, type, stream, revision, data, meta };
}

export function toEventRef({ id, stream, revision }: PortableEvent): EventRef {
  return { id, stream, revision };
}

/** Groups consecutive items with the same key, at most `max` in a batch. */
export async function* toBatches<T>(
  items: AsyncIterable<T>,
  max: number,
  toKey: (item: T) => string = () => '',
): AsyncIterable<readonly [T, ...T[]]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.length === max || (batch.length > 0 && toKey(batch[0]!) !== toKey(item))) {
      yield batch as [T, ...T[]];
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) yield batch as [T, ...T[]];
}

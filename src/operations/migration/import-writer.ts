import type { EventRef } from '../../kernel/event.js';
import { Conflict, type EventStore } from '../../kernel/event-store.js';
import { splitIntoChunks } from '../../stores/eventstoredb/append-size.js';
import type { Ports } from '../../stores/ports.js';
import { CliError } from '../cli/cli.js';
import { readLog } from '../cli/events/event-log.js';
import { isSameEvent } from './compare-logs.js';
import {
  isEvent,
  type MigrationItem,
  type MigrationRecord,
  type PortableEvent,
  type RecordKind,
  toBatches,
  toEventRef,
} from './records.js';

const BATCH_SIZE = 500;

type Writers = {
  readonly [K in RecordKind]: (
    group: readonly Extract<MigrationRecord, { record: K }>[],
    ports: Ports,
  ) => Promise<void>;
};

/**
 * Writes the items that the store does not have yet, so the same import can run again.
 * @returns the last event
 * @throws CliError when the store has any other event
 */
export async function writeItems(items: AsyncIterable<MigrationItem>, ports: Ports): Promise<EventRef | null> {
  const log = new LogWriter(ports.events);
  const toGroup = (item: MigrationItem) => (isEvent(item) ? item.stream : `record ${item.record}`);
  for await (const batch of toBatches(log.skipStored(items), BATCH_SIZE, toGroup)) {
    if (isEvent(batch[0])) await log.append(batch as readonly PortableEvent[]);
    else await (WRITERS[batch[0].record] as (group: typeof batch, ports: Ports) => Promise<void>)(batch, ports);
  }
  return log.finish();
}

/** Appends one batch after another, because parallel appends could change the order of the log. */
class LogWriter {
  private readonly stored: AsyncGenerator<PortableEvent, undefined>;
  private count = 0;

  constructor(private readonly store: EventStore) {
    this.stored = readLog(store);
  }

  /** Passes the items on, except the events that the store already has. */
  async *skipStored(items: AsyncIterable<MigrationItem>): AsyncIterable<MigrationItem> {
    for await (const item of items) if (!isEvent(item) || !(await this.isStored(item))) yield item;
  }

  async append(batch: readonly PortableEvent[]): Promise<void> {
    for (const chunk of splitIntoChunks(batch)) {
      const { stream, revision } = chunk[0]!;
      try {
        await this.store.append(stream, revision === 0 ? 'none' : revision - 1, chunk);
      } catch (error) {
        throw error instanceof Conflict ? toForeignLogError(error.message) : error;
      }
    }
  }

  /** Counts the events of the store, because another process may have appended events during the import. */
  async finish(): Promise<EventRef | null> {
    const { value } = await this.stored.next();
    if (value !== undefined) throw toForeignLogError(`it has ${describeEvent(value)} after the expected end`);
    let [count, last]: [number, PortableEvent | null] = [0, null];
    for await (const event of readLog(this.store)) [count, last] = [count + 1, event];
    if (count !== this.count) throw toForeignLogError(`it has ${count} events, expected ${this.count}`);
    return last && toEventRef(last);
  }

  private async isStored(event: PortableEvent): Promise<boolean> {
    this.count++;
    const { value } = await this.stored.next();
    if (value !== undefined && !isSameEvent(event, value))
      throw toForeignLogError(`expected ${describeEvent(event)}, found ${describeEvent(value)}`);
    return value !== undefined;
  }
}

const WRITERS: Writers = {
  key: async (keys, { vault }) => {
    for (const { id, sealed } of keys)
      await (sealed === null ? vault.destroy(id) : vault.putIfAbsent(id, Buffer.from(sealed, 'base64')));
  },
  claim: (claims, { idempotency }) => idempotency.restore(claims.map(({ record: _, ...claim }) => claim)),
  job: (jobs, ports) => ports.jobs.restore(jobs.map(({ record: _, ...job }) => job)),
  note: async (notes, { models }) => {
    for (const [collection, rows] of Map.groupBy(notes, (note) => note.collection)) {
      await models.ensureCollection(collection, { indexes: [] });
      await models.upsert(collection, rows);
    }
  },
  checkpoint: async (records, { checkpoints, events }) => {
    for (const { name, event } of records)
      if (event !== null) await checkpoints.advanceCheckpoints({ [name]: await findPosition(event, events) });
  },
};

async function findPosition({ id, stream, revision }: EventRef, events: EventStore) {
  for await (const event of events.readStream(stream, { from: revision, limit: 1 }))
    if (event.id === id) return event.position;
  throw new CliError(`${stream} has no event ${id} at revision ${revision}, the event of a checkpoint`);
}

function toForeignLogError(difference: string): CliError {
  return new CliError(`the target store contains another log: ${difference}. Use an empty target store.`);
}

function describeEvent({ stream, revision, type }: PortableEvent): string {
  return `${stream} ${revision} (${type})`;
}

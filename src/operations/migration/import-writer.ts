import type { EventRef, NewEvent } from '../../kernel/event.js';
import { Conflict, type EventStore } from '../../kernel/event-store.js';
import { splitIntoChunks } from '../../stores/eventstoredb/append-size.js';
import type { Ports } from '../../stores/ports.js';
import { CliError } from '../cli/cli.js';
import { readLog } from '../cli/events/event-log.js';
import { isSameEvent } from './compare-logs.js';
import { type MigrationRecord, type PortableEvent, type RecordKind, toBatches } from './records.js';

const BATCH_SIZE = 500;

type RecordOf<K extends RecordKind> = Extract<MigrationRecord, { record: K }>;

/**
 * Appends the events that the store does not have yet, in log order. Appends run one after another, because parallel
 * appends could change the order. Then counts the events of the store, because another process may have appended events
 * during the import.
 * @param onEvent called with each event that the store has
 * @returns the last event
 * @throws CliError when the store has any other event
 */
export async function appendMissing(
  events: AsyncIterable<PortableEvent>,
  store: EventStore,
  onEvent: (event: PortableEvent) => void,
): Promise<EventRef | null> {
  let [count, last]: [number, EventRef | null] = [0, null];
  const countEvent = (event: PortableEvent) => {
    [count, last] = [count + 1, { id: event.id, stream: event.stream, revision: event.revision }];
    onEvent(event);
  };
  for await (const batch of toBatches(
    skipStored(events, store, countEvent),
    (a, b) => a.stream === b.stream,
    BATCH_SIZE,
  )) {
    for (const chunk of splitIntoChunks(batch)) {
      await append(chunk, store);
      chunk.forEach(countEvent);
    }
  }
  const stored = await countEvents(store);
  if (stored !== count) throw toForeignLogError(`it has ${stored} events, expected ${count}`);
  return last;
}

/** Stores the records other than events. Existing records stay, so the import can run again. */
export async function storeRecords(records: AsyncIterable<MigrationRecord>, ports: Ports): Promise<void> {
  for await (const group of toBatches(records, (a, b) => a.record === b.record, BATCH_SIZE)) {
    const write = WRITERS[group[0]!.record] as (group: readonly MigrationRecord[], ports: Ports) => Promise<void>;
    await write(group, ports);
  }
}

const WRITERS: { readonly [K in RecordKind]: (group: readonly RecordOf<K>[], ports: Ports) => Promise<void> } = {
  key: async (keys, { vault }) => {
    for (const { id, sealed } of keys)
      await (sealed === null ? vault.destroy(id) : vault.putIfAbsent(id, Buffer.from(sealed, 'base64')));
  },
  claim: (claims, { idempotency }) => idempotency.restore(claims.map(({ record: _, ...claim }) => claim)),
  job: (jobs, { jobs: kept }) => kept.restore(jobs.map(({ record: _, ...job }) => job)),
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

async function append(chunk: readonly (PortableEvent & NewEvent)[], store: EventStore): Promise<void> {
  const { stream, revision } = chunk[0]!;
  try {
    await store.append(stream, revision === 0 ? 'none' : revision - 1, chunk);
  } catch (error) {
    throw error instanceof Conflict ? toForeignLogError(error.message) : error;
  }
}

async function countEvents(store: EventStore): Promise<number> {
  let count = 0;
  for await (const batch of toBatches(readLog(store), () => true, BATCH_SIZE)) count += batch.length;
  return count;
}

/** Returns the events after those that the store already has. */
async function* skipStored(
  events: AsyncIterable<PortableEvent>,
  store: EventStore,
  onEvent: (event: PortableEvent) => void,
): AsyncIterable<PortableEvent> {
  const stored = readLog(store)[Symbol.asyncIterator]();
  for await (const event of events) {
    const { done, value } = await stored.next();
    if (done) yield event;
    else if (!isSameEvent(event, value))
      throw toForeignLogError(`expected ${describeEvent(event)}, found ${describeEvent(value)}`);
    else onEvent(event);
  }
  const { done, value } = await stored.next();
  if (!done) throw toForeignLogError(`it has ${describeEvent(value)} after the expected end`);
}

async function findPosition(
  { id, stream, revision }: NonNullable<RecordOf<'checkpoint'>['event']>,
  events: EventStore,
) {
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

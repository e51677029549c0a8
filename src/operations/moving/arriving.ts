import type { EventPlace, NewEvent } from '../../kernel/event.js';
import { Conflict, type EventStore } from '../../kernel/event-store.js';
import { inChunks } from '../../stores/eventstoredb/append-size.js';
import type { Ports } from '../../stores/ports.js';
import { eachOf } from '../event-log.js';
import { CannotDo } from '../toolbox.js';
import { grouped, type Belonging, type Kind, type MovedEvent } from './belongings.js';
import { sameEvent } from './comparing.js';

const AT_ONCE = 500;

type Of<K extends Kind> = Extract<Belonging, { record: K }>;

/**
 * Appends the events that the store does not have yet, in log order. Appends run one after another, because parallel
 * appends could change the order. Then counts the events of the store, because another process may have appended events
 * during the import.
 * @param onEvent called with each event that the store has
 * @returns the last event
 * @throws CliError when the store has any other event
 */
export async function appendAll(
  events: AsyncIterable<MovedEvent>,
  store: EventStore,
  passed: (event: MovedEvent) => void,
): Promise<EventPlace | null> {
  let [count, last]: [number, EventPlace | null] = [0, null];
  const took = (event: MovedEvent) => {
    [count, last] = [count + 1, { id: event.id, stream: event.stream, revision: event.revision }];
    passed(event);
  };
  for await (const run of grouped(beyond(events, store, took), (a, b) => a.stream === b.stream, AT_ONCE)) {
    for (const chunk of inChunks(run)) {
      await append(chunk, store);
      chunk.forEach(took);
    }
  }
  const held = await countIn(store);
  if (held !== count) throw other(`it has ${held} events, expected ${count}`);
  return last;
}

/** Stores the records other than events. Existing records stay, so the import can run again. */
export async function keepAll(belongings: AsyncIterable<Belonging>, ports: Ports): Promise<void> {
  for await (const group of grouped(belongings, (a, b) => a.record === b.record, AT_ONCE)) {
    const keep = KEEPERS[group[0]!.record] as (group: readonly Belonging[], ports: Ports) => Promise<void>;
    await keep(group, ports);
  }
}

const KEEPERS: { readonly [K in Kind]: (group: readonly Of<K>[], ports: Ports) => Promise<void> } = {
  key: async (keys, { vault }) => {
    for (const { id, sealed } of keys) await (sealed === null ? vault.destroy(id) : vault.put(id, Buffer.from(sealed, 'base64')));
  },
  claim: (claims, { idempotency }) => idempotency.restore(claims.map(({ record: _, ...claim }) => claim)),
  job: (jobs, { jobs: kept }) => kept.restore(jobs.map(({ record: _, ...job }) => job)),
  note: async (notes, { models }) => {
    for (const [collection, rows] of Map.groupBy(notes, (note) => note.collection)) {
      await models.prepare(collection, { indexes: [] });
      await models.save(collection, rows);
    }
  },
  checkpoint: async (checkpoints, { models, events }) => {
    for (const { name, event } of checkpoints) if (event !== null) await models.advance({ [name]: await positionOf(event, events) });
  },
};

async function append(chunk: readonly (MovedEvent & NewEvent)[], store: EventStore): Promise<void> {
  const { stream, revision } = chunk[0]!;
  try {
    await store.append(stream, revision === 0 ? 'none' : revision - 1, chunk);
  } catch (error) {
    throw error instanceof Conflict ? other(error.message) : error;
  }
}

async function countIn(store: EventStore): Promise<number> {
  let count = 0;
  for await (const some of grouped(eachOf(store), () => true, AT_ONCE)) count += some.length;
  return count;
}

/** Returns the events after those that the store already has. */
async function* beyond(
  events: AsyncIterable<MovedEvent>,
  store: EventStore,
  passed: (event: MovedEvent) => void,
): AsyncIterable<MovedEvent> {
  const held = eachOf(store)[Symbol.asyncIterator]();
  for await (const event of events) {
    const { done, value } = await held.next();
    if (done) yield event;
    else if (!sameEvent(event, value)) throw other(`expected ${nameOf(event)}, found ${nameOf(value)}`);
    else passed(event);
  }
  const { done, value } = await held.next();
  if (!done) throw other(`it has ${nameOf(value)} after the expected end`);
}

async function positionOf({ id, stream, revision }: NonNullable<Of<'checkpoint'>['event']>, events: EventStore) {
  for await (const event of events.readStream(stream, { from: revision, limit: 1 })) if (event.id === id) return event.position;
  throw new CannotDo(`${stream} has no event ${id} at revision ${revision}, the event of a checkpoint`);
}

function other(how: string): CannotDo {
  return new CannotDo(`the target store contains another log: ${how}. Use an empty target store.`);
}

function nameOf({ stream, revision, type }: MovedEvent): string {
  return `${stream} ${revision} (${type})`;
}

import { KEY_USES } from '../../identity/key-uses.js';
import type { EventPlace } from '../../kernel/event.js';
import type { EventStore, ReadAllOptions } from '../../kernel/event-store.js';
import type { Idempotency, KeptClaim } from '../../kernel/idempotency.js';
import type { JobEntry, Jobs } from '../../kernel/jobs.js';
import { START, type Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import type { Vault, VaultEntry } from '../../kernel/vault.js';
import type { Ports } from '../../stores/ports.js';
import { captureCollections } from '../../webhooks/sending/captures.js';
import { grouped, type Belonging } from './belongings.js';

const AT_ONCE = 500;

/**
 * Reads the records of a store other than its events. No service may run on the store during the read.
 * @param reactors the names of the reactors' checkpoints
 */
export async function* belongingsOf(ports: Ports, reactors: readonly string[]): AsyncIterable<Belonging> {
  yield* keysOf(ports.vault);
  yield* claimsOf(ports.idempotency);
  for (const collection of [KEY_USES, ...(await captureCollections(ports.jobs))]) yield* notesOf(collection, ports.models);
  yield* jobsOf(ports.jobs);
  for (const reactor of reactors) yield await checkpointIn(ports, reactor);
}

async function* keysOf(vault: Vault): AsyncIterable<Belonging> {
  for await (const { id, sealed } of paged<VaultEntry>((last) => vault.entries(last?.id ?? '', AT_ONCE)))
    yield { record: 'key', id, sealed: sealed && Buffer.from(sealed).toString('base64') };
}

async function* claimsOf(idempotency: Idempotency): AsyncIterable<Belonging> {
  for await (const claim of paged<KeptClaim>((last) => idempotency.claims(last ?? null, AT_ONCE))) yield { record: 'claim', ...claim };
}

async function* jobsOf(jobs: Jobs): AsyncIterable<Belonging> {
  for await (const job of paged<JobEntry>((after) => jobs.list({ limit: AT_ONCE, ...(after && { after }) }))) {
    const { key, queue, due, data, attempt, failures, error, status } = job;
    yield { record: 'job', key, queue, due, data, attempt, failures, error, parked: status === 'parked' };
  }
}

async function* notesOf(collection: string, models: ReadModels): AsyncIterable<Belonging> {
  await models.prepare(collection, { indexes: [] });
  const order = { where: {}, orderBy: 'id', ascending: true, limit: AT_ONCE };
  const behind = (id: string) => ({ ...order, after: { value: id, id } });
  const listed = paged<{ readonly id: string }>((last) => models.find(collection, last === undefined ? order : behind(last.id)));
  for await (const some of grouped(listed, () => true, AT_ONCE)) {
    const rows = await models.load(
      collection,
      some.map(({ id }) => id),
    );
    for (const { id, position, document } of rows) if (document !== null) yield { record: 'note', collection, id, position, document };
  }
}

async function checkpointIn({ models, events }: Ports, name: string): Promise<Belonging> {
  return { record: 'checkpoint', name, event: await lastUpTo(events, await models.checkpoint(name)) };
}

/**
 * Returns the event at the position, or the last event before it: in some stores a position can be without an event of
 * the service.
 */
async function lastUpTo(events: EventStore, position: Position): Promise<EventPlace | null> {
  if (position === START) return null;
  const next = await nearest(events, { after: position });
  const last = await nearest(events, { backwards: true, ...(next && { before: next.position }) });
  return last && { id: last.id, stream: last.stream, revision: last.revision };
}

/** Returns the first event in that direction, or null. */
async function nearest(events: EventStore, way: Omit<ReadAllOptions, 'limit'>) {
  for (let from = way; ;) {
    const page = await events.readAll({ ...from, limit: 1 });
    if (page.events.length > 0 || page.caughtUp) return page.events[0] ?? null;
    from = way.backwards ? { ...way, before: page.next } : { ...way, after: page.next };
  }
}

/** Reads all items page by page; each page starts after the last item of the previous one. */
async function* paged<T>(page: (last: T | undefined) => Promise<readonly T[]>): AsyncIterable<T> {
  let last: T | undefined;
  for (let more = true; more;) {
    const found = await page(last);
    yield* found;
    last = found.at(-1);
    more = found.length === AT_ONCE;
  }
}

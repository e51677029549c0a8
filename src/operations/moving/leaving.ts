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
 * All that leaves a store beside its log. Nothing may run on it meanwhile.
 * @param reactors the names of their checkpoints
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

/** The event at the position, or the last one before it: some stores have positions at which there is none of ours. */
async function lastUpTo(events: EventStore, position: Position): Promise<EventPlace | null> {
  if (position === START) return null;
  const next = await nearest(events, { after: position });
  const last = await nearest(events, { backwards: true, ...(next && { before: next.position }) });
  return last && { id: last.id, stream: last.stream, revision: last.revision };
}

/** The first event on that way, or null. */
async function nearest(events: EventStore, way: Omit<ReadAllOptions, 'limit'>) {
  for (let from = way; ;) {
    const page = await events.readAll({ ...from, limit: 1 });
    if (page.events.length > 0 || page.caughtUp) return page.events[0] ?? null;
    from = way.backwards ? { ...way, before: page.next } : { ...way, after: page.next };
  }
}

/** Everything, by pages that each begin behind the last one of the page before. */
async function* paged<T>(page: (last: T | undefined) => Promise<readonly T[]>): AsyncIterable<T> {
  let last: T | undefined;
  for (let more = true; more;) {
    const found = await page(last);
    yield* found;
    last = found.at(-1);
    more = found.length === AT_ONCE;
  }
}

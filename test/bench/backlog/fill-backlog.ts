import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import type { JobDetails } from '../../../src/kernel/jobs.ts';
import type { EmbeddedStores } from '../../../src/stores/embedded/embedded.ts';
import { importBuilt } from '../built.ts';
import { findActiveBuild } from '../growth/fill-documents.ts';
import { advanceCheckpoints } from '../growth/fill-store.ts';

const CHAINS_PER_BATCH = 1_000;
const ID_LENGTH = 22;
const POSITION = '0000000000000001';
/** Sums the claims of the stored jobs. */
const CLAIMS = `select sum(case when key like 'attempt:%' then attempt else 0 end) as attempts,
    sum(case when key like 'backlog:%' then attempt else 0 end) as backlogs from jobs`;

/** A waiting delivery chain: its first event and its job. */
interface Template {
  readonly planned: RecordedEvent;
  readonly job: JobDetails;
}

/** Fills the backlog of an endpoint with copies of a waiting delivery chain, through the ports of the store. */
export async function fillBacklog(dataDir: string, endpointId: string, size: number): Promise<void> {
  const { openEmbedded } =
    await importBuilt<typeof import('../../../src/stores/embedded/embedded.js')>('stores/embedded/embedded.js');
  const stores = await openEmbedded({ file: join(dataDir, 'store.sqlite') });
  try {
    const template = await findTemplate(stores, endpointId);
    const build = await findActiveBuild(stores.catalogue, 'waitingChains');
    for (let n = 0; n < size; n += CHAINS_PER_BATCH) {
      await putChains(stores, template, build, n, Math.min(CHAINS_PER_BATCH, size - n));
      if (n % 50_000 === 0) console.error(`waiting chains: ${n}`);
    }
    await advanceCheckpoints(stores);
  } finally {
    await stores.close();
  }
}

async function findTemplate({ jobs, events }: EmbeddedStores, endpointId: string): Promise<Template> {
  const [job] = await jobs.list({ queue: `deliveries:${endpointId}`, limit: 1 });
  for await (const planned of events.readStream(`deliveryChain-${chainIdOf(job!)}`)) return { planned, job: job! };
  throw new Error('the waiting delivery chain has no events');
}

async function putChains(
  { events, models, jobs }: EmbeddedStores,
  { planned, job }: Template,
  build: string,
  first: number,
  count: number,
) {
  const original = chainIdOf(job);
  const ids = Array.from({ length: count }, (_, i) => (first + i).toString().padStart(ID_LENGTH, '0'));
  const copy = <T>(value: T, id: string): T => JSON.parse(JSON.stringify(value).replaceAll(original, id)) as T;
  const { endpointId, occurredAt, dueAt } = planned.data as Readonly<
    Record<'endpointId' | 'occurredAt' | 'dueAt', string>
  >;
  const eventOf = (id: string) => {
    const { type, data, meta } = copy(planned, id);
    return { id: randomUUID(), type, data, meta: { ...meta, commandId: randomUUID() } };
  };
  await Promise.all(ids.map((id) => events.append(`deliveryChain-${id}`, 'none', [eventOf(id)])));
  const rowOf = (id: string) => ({
    id,
    position: POSITION,
    document: { id, endpoint_id: endpointId, occurred_at: occurredAt, due_at: dueAt },
  });
  await models.upsert(build, ids.map(rowOf));
  const { key, queue, due, data } = job;
  await jobs.enqueue(ids.map((id) => copy({ key, queue, due, data }, id)));
}

function chainIdOf({ data }: JobDetails): string {
  return (data as { readonly chainId: string }).chainId;
}

/** Reads the claims of the stored jobs. */
export function readClaims(dataDir: string): { readonly attempts: number; readonly backlogs: number } {
  const database = new DatabaseSync(join(dataDir, 'store.sqlite'), { readOnly: true });
  try {
    return { ...(database.prepare(CLAIMS).get() as { attempts: number; backlogs: number }) };
  } finally {
    database.close();
  }
}

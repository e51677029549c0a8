import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Recorded } from '../../../src/kernel/event.ts';
import type { JobEntry } from '../../../src/kernel/jobs.ts';
import type { EmbeddedStores } from '../../../src/stores/embedded/embedded.ts';
import { importBuilt } from '../built.ts';
import { activeBuild, bePast } from '../growth/filling.ts';

const AT_ONCE = 1_000;
const ID_LENGTH = 22;
const POSITION = '0000000000000001';
/** Sums the claims of the stored jobs. */
const CLAIMS = `select sum(case when key like 'attempt:%' then attempt else 0 end) as attempts,
    sum(case when key like 'backlog:%' then attempt else 0 end) as backlogs from jobs`;

/** A waiting delivery chain: its first event and its job. */
interface Template {
  readonly planned: Recorded;
  readonly job: JobEntry;
}

/** Fills the backlog of an endpoint with copies of a waiting delivery chain, through the ports of the store. */
export async function fillBacklog(dataDir: string, endpointId: string, size: number): Promise<void> {
  const { openEmbedded } = await importBuilt<typeof import('../../../src/stores/embedded/embedded.js')>('stores/embedded/embedded.js');
  const stores = await openEmbedded({ file: join(dataDir, 'store.sqlite') });
  try {
    const template = await templateOf(stores, endpointId);
    const build = await activeBuild(stores.models, 'waitingChains');
    for (let n = 0; n < size; n += AT_ONCE) {
      await putChains(stores, template, build, n, Math.min(AT_ONCE, size - n));
      if (n % 50_000 === 0) console.error(`waiting chains: ${n}`);
    }
    await bePast(stores);
  } finally {
    await stores.close();
  }
}

async function templateOf({ jobs, events }: EmbeddedStores, endpointId: string): Promise<Template> {
  const [job] = await jobs.list({ queue: `deliveries:${endpointId}`, limit: 1 });
  for await (const planned of events.readStream(`chain-${chainIdOf(job!)}`)) return { planned, job: job! };
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
  const { endpointId, occurredAt } = planned.data as { readonly endpointId: string; readonly occurredAt: string };
  const eventOf = (id: string) => {
    const { type, data, meta } = copy(planned, id);
    return { id: randomUUID(), type, data, meta: { ...meta, commandId: randomUUID() } };
  };
  await Promise.all(ids.map((id) => events.append(`chain-${id}`, 'none', [eventOf(id)])));
  const rowOf = (id: string) => ({ id, position: POSITION, document: { id, endpoint_id: endpointId, occurred_at: occurredAt } });
  await models.save(build, ids.map(rowOf));
  const { key, queue, due, data } = job;
  await jobs.put(ids.map((id) => copy({ key, queue, due, data }, id)));
}

function chainIdOf({ data }: JobEntry): string {
  return (data as { readonly chainId: string }).chainId;
}

/** Reads the claims of the stored jobs. */
export function claimsIn(dataDir: string): { readonly attempts: number; readonly backlogs: number } {
  const database = new DatabaseSync(join(dataDir, 'store.sqlite'), { readOnly: true });
  try {
    return { ...(database.prepare(CLAIMS).get() as { attempts: number; backlogs: number }) };
  } finally {
    database.close();
  }
}

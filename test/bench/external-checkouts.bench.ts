// Measures the CPU time of a checkout (a cart, a line and a checkout, each a request) and the memory of the service on
// external stores, and the same on the embedded store, in short interleaved slices. The stores are the tests' own
// servers, in other processes. The CPU time of a slice includes the work after the responses.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeKeySet } from '../support/external-stores/key-set.ts';
import { MongoJava } from '../support/mongo-java/mongo-java.ts';
import { importBuilt } from './built.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { round, summarize } from './numbers.ts';
import { MeasuredServer, REST_MS, toMegabytes } from './server.ts';
import { MeasuredShop } from './shop/measured-shop.ts';
import { IN_FLIGHT } from './shop/shops.ts';

const CHECKOUTS = Number(process.env.BENCH_SIZE ?? 100);
/** The memory is read after these rounds: after 1,000 and after 2,500 checkouts. */
const ROUNDS = [10, 25] as const;

const { readOrGenerateSessionKey } =
  await importBuilt<typeof import('../../src/config/generated-secrets.js')>('config/generated-secrets.js');

const { missing } = MongoJava;
const result = missing === null ? await measureOnStores() : { missing };
console.log(JSON.stringify({ bench: 'external-checkouts', ...result }, null, 2));

async function measureOnStores() {
  const documents = await MongoJava.start();
  const log = await MeasuredServer.start(join(import.meta.dirname, 'eventstoredb-server.ts'), {});
  try {
    return await measureShops({ EVENT_STORE: log.url, MONGODB_URL: `${documents.url}/bench?directConnection=true` });
  } finally {
    await log.stop();
    await documents.stop();
  }
}

async function measureShops(stores: NodeJS.ProcessEnv) {
  const addKeys = async (folder: string) => ({
    ...stores,
    ...(await writeKeySet(folder, readOrGenerateSessionKey(folder))),
  });
  const external = await MeasuredShop.start(addKeys);
  const embedded = await MeasuredShop.start();
  try {
    return await measure(external, embedded);
  } finally {
    await external.stop();
    await embedded.stop();
  }
}

async function measure(external: MeasuredShop, embedded: MeasuredShop) {
  const shops = { external: () => external.buy(CHECKOUTS), embedded: () => embedded.buy(CHECKOUTS) };
  const readMemories = async () => ({ external: await readMemory(external), embedded: await readMemory(embedded) });
  const first = await interleaveRounds(ROUNDS[0], shops, false);
  const memory = { [`after ${ROUNDS[0] * CHECKOUTS}`]: await readMemories() };
  const later = await interleaveRounds(ROUNDS[1] - ROUNDS[0], shops, false);
  memory[`after ${ROUNDS[1] * CHECKOUTS}`] = await readMemories();
  await delay(REST_MS);
  memory['at rest'] = await readMemories();
  const slices = { external: [...first.external, ...later.external], embedded: [...first.embedded, ...later.embedded] };
  const ratio = round(computeMedianRatio(slices.external, slices.embedded, Number));
  const cpu = { external_ms: summarize(slices.external), embedded_ms: summarize(slices.embedded), ratio };
  const conditions = { in_flight: IN_FLIGHT, rounds: ROUNDS[1], checkouts_per_slice: CHECKOUTS };
  return { machine: describeMachine(), ...conditions, cpu, memory };
}

async function readMemory({ service }: MeasuredShop) {
  return toMegabytes(await service.read());
}

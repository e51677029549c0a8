// Compares each route with the same route of a bare Nest and Fastify application, in short interleaved slices. Prints
// one
// JSON document on standard output and progress on standard error. Node runs this folder without a build.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, requireData } from '../support/api.ts';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { toBuiltPath } from './built.ts';
import { measureCommit } from './commits.ts';
import { toFigure } from './figures.ts';
import { CONNECTIONS, type LoadRequest } from './load-generator.ts';
import { describeMachine } from './machine.ts';
import { FIRST_KEY, MeasuredServer } from './server.ts';
import { measureSlice, type Slice } from './slices.ts';

const ROUNDS = 3;
const SLICE_SECONDS = 2;
/** V8 compiles the code of a route for several seconds, most of all on a slow machine. */
const WARMING_SECONDS = 10;
const PRODUCTS = 30;
const ROUTE = '/v1/commerce/products';
const MONTHLY = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };
const PRODUCT = { name: 'Learning Space', plans: [MONTHLY] };

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const service = await MeasuredServer.start(toBuiltPath('main.js'), { ...TEST_ENVIRONMENT, DATA_DIR: dataDir });
try {
  const key = FIRST_KEY.exec(service.output)![0];
  console.log(JSON.stringify(await measureAll(key), null, 2));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureAll(key: string) {
  const api = new Api(service.url, key);
  const id = await fill(api);
  const [one, list] = await Promise.all([api.get(`${ROUTE}/${id}`), api.get(ROUTE)]);
  const bare = await MeasuredServer.start(join(import.meta.dirname, 'bare.ts'), {
    BARE_ANSWERS: JSON.stringify({ one: one.body, list: list.body }),
  });
  try {
    await assertSameResponses(new Api(bare.url), { [`${ROUTE}/${id}`]: one.text, [ROUTE]: list.text });
    const commit = measureCommit(dataDir);
    const figures = await compareRoutes(createRequests(id), key, bare);
    return {
      bench: 'edge',
      machine: describeMachine(),
      connections: CONNECTIONS,
      rounds: ROUNDS,
      slice_seconds: SLICE_SECONDS,
      warming_seconds: WARMING_SECONDS,
      commit,
      figures,
    };
  } finally {
    await bare.stop();
  }
}

/** Creates products. @returns the id of one of them */
async function fill(api: Api): Promise<string> {
  let id = '';
  for (let i = 0; i < PRODUCTS; i++) id = requireData(await api.post(ROUTE, PRODUCT)).id;
  return id;
}

async function assertSameResponses(bare: Api, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(answers))
    if ((await bare.get(path)).text !== text) throw new Error(`${path}: the bare response differs`);
}

function createRequests(id: string): Readonly<Record<string, LoadRequest>> {
  const body = JSON.stringify(PRODUCT);
  return {
    get_one: { method: 'GET', path: `${ROUTE}/${id}` },
    get_list: { method: 'GET', path: ROUTE },
    post_with_key: { method: 'POST', path: ROUTE, body, keyed: true },
    post_without_key: { method: 'POST', path: ROUTE, body },
  };
}

async function compareRoutes(shots: Readonly<Record<string, LoadRequest>>, key: string, bare: MeasuredServer) {
  const slices: Record<string, { service: Slice[]; bare: Slice[] }> = {};
  for (const [name, shot] of Object.entries(shots)) {
    slices[name] = { service: [], bare: [] };
    for (const server of [bare, service]) await measureSlice(server, key, shot, WARMING_SECONDS);
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, shot] of Object.entries(shots)) {
      console.error(`round ${round} of ${ROUNDS}: ${name}`);
      slices[name]!.bare.push(await measureSlice(bare, key, shot, SLICE_SECONDS));
      slices[name]!.service.push(await measureSlice(service, key, shot, SLICE_SECONDS));
    }
  }
  return Object.entries(slices).map(([name, of]) => toFigure(name, shots[name]!, of));
}

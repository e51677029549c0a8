// Measures the cost of durability of a write over HTTP: compares a POST on the whole service with the same POST on the
// same application with ports in memory, at 64 connections, in short interleaved slices.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { toBuiltPath } from './built.ts';
import { measureCommit } from './commits.ts';
import { toFigure } from './figures.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { CONNECTIONS, type LoadRequest } from './load-generator.ts';
import { describeMachine } from './machine.ts';
import { round } from './numbers.ts';
import { FIRST_KEY, MeasuredServer } from './server.ts';
import { measureSlice } from './slices.ts';

const ROUNDS = 5;
const SLICE_SECONDS = 2;
const PLAN = { kind: 'subscription', name: 'Monthly', amount_cents: 4900, currency: 'EUR', interval: 'month' };

const path = '/v1/commerce/products';
const shots: Readonly<Record<string, LoadRequest>> = {
  product: { method: 'POST', path, body: JSON.stringify({ name: 'Learning Space' }), keyed: true },
  product_and_plan: {
    method: 'POST',
    path,
    body: JSON.stringify({ name: 'Learning Space', plans: [PLAN] }),
    keyed: true,
  },
};

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const service = await MeasuredServer.start(toBuiltPath('main.js'), { ...TEST_ENVIRONMENT, DATA_DIR: dataDir });
const storeless = await MeasuredServer.start(join(import.meta.dirname, 'memory-service.ts'), {
  ...TEST_ENVIRONMENT,
  DATA_DIR: join(dataDir, 'storeless'),
  ROLE: 'projector',
});
try {
  const commit = measureCommit(dataDir);
  const figures = [];
  for (const [name, shot] of Object.entries(shots)) figures.push(await comparePosts(name, shot));
  const conditions = { connections: CONNECTIONS, rounds: ROUNDS, slice_seconds: SLICE_SECONDS };
  console.log(JSON.stringify({ bench: 'post', machine: describeMachine(), ...conditions, commit, figures }, null, 2));
} finally {
  await Promise.all([service.stop(), storeless.stop()]);
  await rm(dataDir, { recursive: true, force: true });
}

async function comparePosts(name: string, shot: LoadRequest) {
  const slice = (server: MeasuredServer) =>
    measureSlice(server, FIRST_KEY.exec(server.output)![0], shot, SLICE_SECONDS);
  const slices = await interleaveRounds(ROUNDS, { bare: () => slice(storeless), service: () => slice(service) });
  const rate = round(computeMedianRatio(slices.service, slices.bare, ({ requestsPerSecond }) => requestsPerSecond));
  const { bare, ...figure } = toFigure(name, shot, slices);
  return { ...figure, ratios: { ...figure.ratios, requests_per_second: rate }, without_the_store: bare };
}

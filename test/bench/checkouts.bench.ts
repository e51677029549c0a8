// Measures purchases per second (a cart, a line and a checkout, each a request) by 64 buyers at once: all of them from
// one business, and from 100 businesses, in short interleaved slices. Invoice numbers and the balance of one business
// are one stream each, so the ratio shows what this sharing costs. At the end, reads the memory of the process: its
// peak, and at rest. An argument sets a number of purchases: the benchmark then only makes these, from the 100 businesses,
// 24 in flight, and reads the rate, the CPU time and the memory after each tenth: `npm run bench checkouts 100000`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { toBuiltPath } from './built.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { CONNECTIONS } from './load-generator.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, computePercentile, round } from './numbers.ts';
import { MeasuredServer, REST_MS, toMegabytes } from './server.ts';
import { measureLongRun } from './shop/long-run.ts';
import { buy, createShops, type Shop } from './shop/shops.ts';

const ROUNDS = 5;
const SLICE_MS = 3_000;
const SHOPS = 100;
const PURCHASES = Number(process.argv[2] ?? 0);

interface Slice {
  readonly perSecond: number;
  readonly p99Ms: number;
}

let buyers = 0;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const environment = { ...TEST_ENVIRONMENT, PRODUCT_REVIEW: 'auto', BUSINESS_LIMIT: '1000', DATA_DIR: dataDir };
const service = await MeasuredServer.start(toBuiltPath('main.js'), environment);
try {
  const shops = await createShops(service.url, dataDir, SHOPS);
  const figures = PURCHASES > 0 ? await measureLongRun(service, shops, PURCHASES) : await compareBusinesses(shops);
  console.log(JSON.stringify({ bench: 'checkouts', machine: describeMachine(), ...figures }, null, 2));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function compareBusinesses(shops: readonly Shop[]) {
  const slices = await interleaveRounds(ROUNDS, {
    one: () => measure(shops.slice(0, 1)),
    hundred: () => measure(shops),
  });
  const ratio = round(computeMedianRatio(slices.hundred, slices.one, ({ perSecond }) => perSecond));
  const purchases = { one_business: summarize(slices.one), hundred_businesses: summarize(slices.hundred), ratio };
  const conditions = { connections: CONNECTIONS, rounds: ROUNDS, slice_ms: SLICE_MS };
  return { ...conditions, figures: { ...purchases, memory: await measureMemory() } };
}

async function measure(shops: readonly Shop[]): Promise<Slice> {
  const durations: number[] = [];
  const began = performance.now();
  const buyAgain = async () => {
    while (performance.now() - began < SLICE_MS) {
      const start = performance.now();
      const n = ++buyers;
      await buy(shops[n % shops.length]!, `buyer${n}`);
      durations.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, buyAgain));
  const perSecond = (durations.length / (performance.now() - began)) * 1_000;
  return { perSecond, p99Ms: computePercentile(durations, 99) };
}

async function measureMemory() {
  await delay(REST_MS);
  const { peak_mb, resident_mb } = toMegabytes(await service.read());
  return { checkouts: buyers, peak_mb, at_rest_mb: resident_mb };
}

function summarize(slices: readonly Slice[]) {
  return {
    purchases_per_second: round(computeMedian(slices.map(({ perSecond }) => perSecond))),
    p99_ms: round(computeMedian(slices.map(({ p99Ms }) => p99Ms))),
  };
}

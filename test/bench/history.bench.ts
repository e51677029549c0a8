// Measures the CPU time of a checkout (a cart, a line and a checkout, each a request) with and without the change
// history: two services, one of them without the audit index and the hash chain, in short interleaved slices. The CPU time
// of a slice includes the work after the responses.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { toBuiltPath } from './built.ts';
import { computeMedianRatio, interleaveRounds } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';
import { MeasuredServer } from './server.ts';
import { buy, createShops, type Shop } from './shop/shops.ts';

const ROUNDS = 16;
const CHECKOUTS = 100;
const IN_FLIGHT = 24;
const WITHOUT_HISTORY = `--import=${join(import.meta.dirname, 'history/without-history.ts')}`;

interface MeasuredShop {
  readonly service: MeasuredServer;
  readonly shop: Shop;
  readonly dataDir: string;
}

let buyers = 0;

const withHistory = await start('');
const without = await start(WITHOUT_HISTORY);
try {
  const slices = await interleaveRounds(ROUNDS, {
    with: () => measure(withHistory),
    without: () => measure(without),
  });
  const ratio = round(computeMedianRatio(slices.with, slices.without, Number));
  const figures = { with_ms: summarize(slices.with), without_ms: summarize(slices.without), ratio };
  const conditions = { in_flight: IN_FLIGHT, rounds: ROUNDS, checkouts_per_slice: CHECKOUTS };
  console.log(JSON.stringify({ bench: 'history', machine: describeMachine(), ...conditions, figures }, null, 2));
} finally {
  for (const { service, dataDir } of [withHistory, without]) {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function start(nodeOptions: string): Promise<MeasuredShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const environment = { ...TEST_ENVIRONMENT, PRODUCT_REVIEW: 'auto', DATA_DIR: dataDir, NODE_OPTIONS: nodeOptions };
  const service = await MeasuredServer.start(toBuiltPath('main.js'), environment);
  const [shop] = await createShops(service.url, dataDir, 1);
  return { service, shop: shop!, dataDir };
}

/** Returns the CPU time of one checkout, in milliseconds. */
async function measure({ service, shop }: MeasuredShop): Promise<number> {
  await service.takeCpuMicrosUntilIdle();
  let left = CHECKOUTS;
  const buyAgain = async () => {
    while (left-- > 0) await buy(shop, `buyer${++buyers}`);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, buyAgain));
  return (await service.takeCpuMicrosUntilIdle()) / CHECKOUTS / 1_000;
}

function summarize(slices: readonly number[]) {
  return { median: round(computeMedian(slices)), least: round(Math.min(...slices)) };
}

// Compares a store of a million deliveries and payments with an empty store and with a store that just fills a page:
// interleaved requests, the start, and memory. `ratio` is to the empty store, which answers a list with at most one
// document; `ratio_to_small` is to the store that answers as many documents as the large one. Prints one JSON document
// on
// standard output and progress on standard error. Node runs this folder without a build. BENCH_SIZE: the number of
// deliveries and of payments.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill, type Sizes } from './growth/fill-store.ts';
import { type BusinessSeed, GrownBusiness } from './growth/grown-business.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000);
const SIZES: Sizes = { deliveries: SIZE, payments: SIZE, invoices: SIZE / 10, awards: SIZE / 10 };
/** Enough documents for a full page of two days. */
const SMALL: Sizes = { deliveries: 400, payments: 400, invoices: 400, awards: 400 };
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const STARTS = 3;

const LISTS: Readonly<Record<string, string>> = {
  'deliveries by endpoint_id': 'webhooks/deliveries?endpoint_id=whe_nobody',
  'deliveries by event_id': 'webhooks/deliveries?event_id=evt_7',
  'deliveries by event_type': 'webhooks/deliveries?event_type=offer.sent',
  'deliveries by status=failed': 'webhooks/deliveries?status=failed',
  'deliveries by status=abandoned': 'webhooks/deliveries?status=abandoned',
  'deliveries by response_status': 'webhooks/deliveries?response_status=599',
  'deliveries by test': 'webhooks/deliveries?test=true',
  'deliveries by replayed_from': 'webhooks/deliveries?replayed_from=whd_nobody',
  'deliveries by replay_job_id': 'webhooks/deliveries?replay_job_id=whj_nobody',
  'deliveries by created_from': 'webhooks/deliveries?created_from=2026-01-02&created_to=2026-01-03',
  'deliveries by two filters': 'webhooks/deliveries?status=failed&response_status=404',
  'payments, first page': 'commerce/payments',
  'payments by buyer_email': 'commerce/payments?buyer_email=nobody%40example.com',
  'payments by created_from': 'commerce/payments?created_from=2026-01-02&created_to=2026-01-03',
  'payments by cash_flow_from': 'commerce/payments?cash_flow_from=2026-01-09&cash_flow_to=2026-01-10',
  'payments by both': 'commerce/payments?created_from=2026-01-02&cash_flow_from=2026-01-09',
  'payments, a page in the middle': `commerce/payments?page=${Math.floor(SIZE / 50)}`,
  'invoices, first page': 'commerce/invoices',
};

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  console.log(JSON.stringify(await measureAll(), null, 2));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureAll() {
  const [empty, small, large] = [join(folder, 'empty'), join(folder, 'small'), join(folder, 'large')];
  const seed = await GrownBusiness.create(empty);
  for (const copy of [small, large]) await cp(empty, copy, { recursive: true });
  await fill(small, SMALL);
  const began = performance.now();
  await fill(large, SIZES);
  const filling_s = round((performance.now() - began) / 1000);
  const afterFilling = await measureFirstUses(large, seed);
  const start = await measureStarts(empty, large, seed);
  const shops: GrownBusinesses = {
    empty: await GrownBusiness.open(empty, seed),
    small: await GrownBusiness.open(small, seed),
    grown: await GrownBusiness.open(large, seed),
  };
  try {
    const figures = await measureRequests(shops);
    const memory_mb = round((await readResidentBytes(shops.grown)) / 1_000_000);
    return {
      bench: 'growth',
      machine: describeMachine(),
      sizes: SIZES,
      filling_s,
      without_baselines: afterFilling,
      start,
      memory_mb,
      figures,
    };
  } finally {
    await Promise.all(Object.values(shops).map(({ server }) => server.stop()));
  }
}

/** The filled streams have no baseline yet, so their first command reads them completely, once. */
async function measureFirstUses(dataDir: string, seed: BusinessSeed) {
  const shop = await GrownBusiness.open(dataDir, seed);
  const award_ms = round(await measureTime(() => shop.award()));
  const cart = await shop.createCart();
  const checkout_ms = round(await measureTime(() => shop.checkOut(cart)));
  await shop.server.takeCpuMicrosUntilIdle();
  await shop.server.stop();
  return { award_ms, checkout_ms };
}

async function measureStarts(empty: string, large: string, seed: BusinessSeed) {
  const times: { empty: number[]; large: number[] } = { empty: [], large: [] };
  for (let i = 0; i < STARTS; i++) {
    times.empty.push(await measureStart(empty, seed));
    times.large.push(await measureStart(large, seed));
  }
  const [empty_ms, grown_ms] = [computeMedian(times.empty), computeMedian(times.large)];
  return { empty_ms: round(empty_ms), grown_ms: round(grown_ms), ratio: round(grown_ms / empty_ms) };
}

async function measureStart(dataDir: string, seed: BusinessSeed): Promise<number> {
  let shop: GrownBusiness | undefined;
  const ms = await measureTime(async () => (shop = await GrownBusiness.open(dataDir, seed)));
  await shop!.server.stop();
  return ms;
}

async function measureRequests(shops: GrownBusinesses) {
  const figures = [];
  for (const [name, path] of Object.entries(LISTS))
    figures.push(await compareRequests(name, shops, (shop) => () => shop.api.get(`/v1/${path}`)));
  figures.push(
    await compareRequests(
      '/metrics',
      shops,
      (shop) => () => fetch(shop.metricsUrl).then((answer) => answer.text()),
      1_050,
    ),
  );
  figures.push(await compareRequests('an award', shops, (shop) => () => shop.award()));
  figures.push(
    await compareRequests('a checkout', shops, async (shop) => {
      const cart = await shop.createCart();
      return () => shop.checkOut(cart);
    }),
  );
  return figures;
}

type GrownBusinesses = Readonly<Record<'empty' | 'small' | 'grown', GrownBusiness>>;
type Prepare = (shop: GrownBusiness) => (() => Promise<unknown>) | Promise<() => Promise<unknown>>;

/** Interleaves the requests, so that all run under the same conditions. */
async function compareRequests(name: string, shops: GrownBusinesses, prepare: Prepare, pauseMs = 0) {
  console.error(name);
  const times: Record<keyof GrownBusinesses, number[]> = { empty: [], small: [], grown: [] };
  const delays: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    for (const [size, shop] of Object.entries(shops) as [keyof GrownBusinesses, GrownBusiness][]) {
      const ask = await prepare(shop);
      await shop.server.read();
      times[size].push(await measureTime(ask));
    }
    delays.push((await shops.grown.server.read()).eventLoopDelayMs.max);
  }
  const [empty_ms, small_ms, grown_ms] = [times.empty, times.small, times.grown].map((all) =>
    computeMedian(all.slice(1)),
  ) as [number, number, number];
  const ratios = { ratio: round(grown_ms / empty_ms), ratio_to_small: round(grown_ms / small_ms) };
  const loop = {
    event_loop_delay_ms: round(computeMedian(delays)),
    worst_event_loop_delay_ms: round(Math.max(...delays)),
  };
  return { name, empty_ms: round(empty_ms), small_ms: round(small_ms), grown_ms: round(grown_ms), ...ratios, ...loop };
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function readResidentBytes({ metricsUrl }: GrownBusiness): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

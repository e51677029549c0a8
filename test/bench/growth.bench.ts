// What a store of a million deliveries and payments costs against one that is almost empty: requests by turns, the start, and memory.
// One JSON document on standard output, progress on standard error. Node runs this folder as it is. BENCH_SIZE: deliveries, and payments.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill, type Sizes } from './growth/filling.ts';
import { GrownShop, type Seed } from './growth/shop.ts';
import { machine } from './machine.ts';
import { median, rounded } from './numbers.ts';

const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000);
const SIZES: Sizes = { deliveries: SIZE, payments: SIZE, invoices: SIZE / 10, awards: SIZE / 10 };
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
  console.log(JSON.stringify(await measured(), null, 2));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measured() {
  const [small, large] = [join(folder, 'small'), join(folder, 'large')];
  const seed = await GrownShop.found(small);
  await cp(small, large, { recursive: true });
  await fill(large, SIZES);
  const afterFilling = await firstUses(large, seed);
  const start = await starts(small, large, seed);
  const [empty, grown] = [await GrownShop.on(small, seed), await GrownShop.on(large, seed)];
  try {
    const figures = await requests(empty, grown);
    const memory_mb = rounded((await residentBytes(grown)) / 1_000_000);
    return { bench: 'growth', machine: machine(), sizes: SIZES, without_baselines: afterFilling, start, memory_mb, figures };
  } finally {
    await Promise.all([empty.server.stop(), grown.server.stop()]);
  }
}

/** The streams that were filled have no baseline yet: their first commands read them whole, once. */
async function firstUses(dataDir: string, seed: Seed) {
  const shop = await GrownShop.on(dataDir, seed);
  const award_ms = rounded(await timeOf(() => shop.award()));
  const cart = await shop.cart();
  const checkout_ms = rounded(await timeOf(() => shop.checkOut(cart)));
  await shop.server.cpuMicrosUntilRest();
  await shop.server.stop();
  return { award_ms, checkout_ms };
}

async function starts(small: string, large: string, seed: Seed) {
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  for (let i = 0; i < STARTS; i++) {
    times.small.push(await startOf(small, seed));
    times.large.push(await startOf(large, seed));
  }
  const [empty_ms, grown_ms] = [median(times.small), median(times.large)];
  return { empty_ms: rounded(empty_ms), grown_ms: rounded(grown_ms), ratio: rounded(grown_ms / empty_ms) };
}

async function startOf(dataDir: string, seed: Seed): Promise<number> {
  let shop: GrownShop | undefined;
  const ms = await timeOf(async () => (shop = await GrownShop.on(dataDir, seed)));
  await shop!.server.stop();
  return ms;
}

async function requests(empty: GrownShop, grown: GrownShop) {
  const figures = [];
  for (const [name, path] of Object.entries(LISTS))
    figures.push(await compared(name, empty, grown, (shop) => () => shop.api.get(`/v1/${path}`)));
  figures.push(await compared('/metrics', empty, grown, (shop) => () => fetch(shop.metricsUrl).then((answer) => answer.text()), 1_050));
  figures.push(await compared('an award', empty, grown, (shop) => () => shop.award()));
  figures.push(
    await compared('a checkout', empty, grown, async (shop) => {
      const cart = await shop.cart();
      return () => shop.checkOut(cart);
    }),
  );
  return figures;
}

type Prepare = (shop: GrownShop) => (() => Promise<unknown>) | Promise<() => Promise<unknown>>;

/** By turns, so that both meet the same machine. */
async function compared(name: string, empty: GrownShop, grown: GrownShop, prepare: Prepare, pauseMs = 0) {
  console.error(name);
  const times: { empty: number[]; grown: number[] } = { empty: [], grown: [] };
  const delays: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    times.empty.push(await timeOf(await prepare(empty)));
    const ask = await prepare(grown);
    await grown.server.read();
    times.grown.push(await timeOf(ask));
    delays.push((await grown.server.read()).eventLoopDelayMs.max);
  }
  const [empty_ms, grown_ms] = [median(times.empty.slice(1)), median(times.grown.slice(1))];
  const loop = { event_loop_delay_ms: rounded(median(delays)), worst_event_loop_delay_ms: rounded(Math.max(...delays)) };
  return { name, empty_ms: rounded(empty_ms), grown_ms: rounded(grown_ms), ratio: rounded(grown_ms / empty_ms), ...loop };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function residentBytes({ metricsUrl }: GrownShop): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

// Compares the first page of each list of a shop with its last page and with a page in the middle, without and with
// each filter, on a store of a million payments. `ratio` is the last page to the first one. `worst_ratio_to_small` is
// the slowest of the three to the first page of a store that just fills some pages. Prints one JSON document on
// standard output and progress on standard error. Node runs this folder without a build. BENCH_SIZE: the number of
// payments; the other lists have a fifth of it.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireData } from '../support/api.ts';
import { fillLists } from './growth/fill-lists.ts';
import { type BusinessSeed, GrownBusiness } from './growth/grown-business.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const SMALL = 400;
const LAST_PAGE = 1_000_000;

const DATES = ['created_from=2026-01-02', 'created_to=2026-01-20', 'created_from=2026-01-02&created_to=2026-01-20'];
const MINUTES = 'created_from=2026-01-02T10:07:00Z&created_to=2026-01-20T20:11:00Z';
const CASH_FLOW = 'cash_flow_from=2026-01-09&cash_flow_to=2026-01-20';

/** The filters of each list; the first one is the list without a filter. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  payments: ['', 'per_page=100', ...DATES, MINUTES, CASH_FLOW, `created_from=2026-01-02&${CASH_FLOW}`],
  orders: ['', ...DATES, MINUTES, 'product_id=prod_3', 'product_id=prod_3&created_from=2026-01-02'],
  refunds: ['', ...DATES, 'status=succeeded', 'status=failed', 'status=succeeded&created_from=2026-01-02'],
  invoices: [
    '',
    ...DATES,
    'status=paid',
    'status=void',
    'kind=renewal',
    'status=paid&status=void',
    'status=paid&kind=renewal',
    'subscription_id=ps_7',
    'status=paid&subscription_id=ps_7',
    'kind=renewal&created_from=2026-01-02',
  ],
  subscriptions: [
    '',
    ...DATES,
    'status=active',
    'status=active&status=past_due',
    'cancelling=true',
    'product_id=prod_3',
    'plan_id=plan_3',
    'product_id=prod_3&plan_id=plan_3&status=past_due',
    'product_id=prod_3&created_from=2026-01-02',
  ],
};

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  console.log(JSON.stringify(await measureAll(), null, 2));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureAll() {
  const [small, large] = [join(folder, 'small'), join(folder, 'large')];
  const seed = await GrownBusiness.create(small);
  await sellAndRefund(small, seed);
  await cp(small, large, { recursive: true });
  const sizes = { payments: SIZE, others: SIZE / 5 };
  await fillLists(small, { payments: SMALL, others: SMALL });
  await fillLists(large, sizes);
  const shops = { small: await GrownBusiness.open(small, seed), large: await GrownBusiness.open(large, seed) };
  try {
    const figures = [];
    for (const [list, filters] of Object.entries(FILTERS))
      for (const filter of filters) figures.push(await measureList(shops, list, filter));
    return { bench: 'lists', machine: describeMachine(), sizes, figures };
  } finally {
    await Promise.all(Object.values(shops).map(({ server }) => server.stop()));
  }
}

/** Creates a first document of each list. */
async function sellAndRefund(dataDir: string, seed: BusinessSeed): Promise<void> {
  const { server, api } = await GrownBusiness.open(dataDir, seed);
  const plan = { kind: 'subscription', amount_cents: 900, currency: 'EUR', interval: 'month' };
  const { id: product_id } = requireData(
    await api.post('/v1/commerce/products', { name: 'A magazine', plans: [plan] }),
  );
  await server.takeCpuMicrosUntilIdle();
  const { id: cart } = requireData(await api.post('/v1/commerce/carts', { buyer: { email: 'ada@example.com' } }));
  requireData(await api.post(`/v1/commerce/carts/${cart}/lines`, { product_id }));
  const method = { payment_method: { token: 'tok_ok' } };
  const { payments } = requireData(await api.post(`/v1/commerce/carts/${cart}/checkout`, method));
  requireData(await api.post(`/v1/commerce/payments/${payments[0].id}/refunds`, { amount_cents: 1 }));
  await server.takeCpuMicrosUntilIdle();
  await server.stop();
}

/** Interleaves the pages, so that all run under the same conditions. */
async function measureList(shops: { small: GrownBusiness; large: GrownBusiness }, list: string, filter: string) {
  console.error(`${list} ${filter}`);
  const toPath = (page: number) => `/v1/commerce/${list}?page=${page}${filter && `&${filter}`}`;
  const { total_pages, total_count } = (await shops.large.api.get(toPath(1))).body.pagination;
  const pages = { small: 1, first: 1, middle: Math.ceil(total_pages / 2), last: LAST_PAGE };
  const times: Record<string, number[]> = { small: [], first: [], middle: [], last: [] };
  for (let i = 0; i < ROUNDS; i++)
    for (const [name, page] of Object.entries(pages)) {
      const { api } = name === 'small' ? shops.small : shops.large;
      const began = performance.now();
      const { status } = await api.get(toPath(page));
      times[name]!.push(performance.now() - began);
      if (status !== 200) throw new Error(`${toPath(page)} answered ${status}`);
    }
  const [small_ms, first_ms, middle_ms, last_ms] = ['small', 'first', 'middle', 'last'].map((name) =>
    round(computeMedian(times[name]!)),
  ) as [number, number, number, number];
  const worst = Math.max(first_ms, middle_ms, last_ms);
  const ratios = { ratio: round(last_ms / first_ms), worst_ratio_to_small: round(worst / small_ms) };
  return { list, filter, total_count, small_ms, first_ms, middle_ms, last_ms, ...ratios };
}

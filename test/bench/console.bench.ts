// Measures the console in Chromium with a processor that is four times slower, on a store of a million deliveries: the
// first page, the answer to a filter, and the longest task of the live view at 200 events a second. The times include
// the service and the driver of the browser. Prints one JSON document on standard output and progress on standard
// error. BENCH_SIZE: the number of deliveries.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage, startBrowser } from '../browser/browser.ts';
import { goTo, signIn } from '../browser/console/console.ts';
import { WIDE } from '../browser/console/views.ts';
import { requireData } from '../support/api.ts';
import { EventReader } from '../support/event-reader.ts';
import { fill } from './growth/fill-store.ts';
import { type BusinessSeed, GrownBusiness } from './growth/grown-business.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000);
const SLOWDOWN = 4;
const ROUNDS = 7;
const FILTERS = ['invoice.paid', 'invoice.issued', 'payment.sale.succeeded', 'product.approved'];
const LIVE_SECONDS = 10;
/** Each product is published as two events. */
const PRODUCTS_PER_SECOND = 100;
const BATCHES_PER_SECOND = 10;
/** The rows of a list that are not those of one event type. */
const OTHER_ROWS = (type: string) => `main tbody tr:not(:has-text("${type}"))`;
/** Collects the tasks that the browser itself calls long: more than 50 ms. */
const OBSERVE_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const seed = await GrownBusiness.create(dataDir);
await fill(dataDir, { deliveries: SIZE, payments: 1, invoices: 1, awards: 1 });
const business = await GrownBusiness.open(dataDir, seed);
const browser = await startBrowser();
try {
  const page = await openSlowPage(seed);
  const first_page_ms = await measureFirstPage(page);
  const filter_ms = await measureFilter(page);
  const live = await measureLive(page, seed);
  const figures = { deliveries: SIZE, slowdown: SLOWDOWN, first_page_ms, filter_ms, live };
  console.log(JSON.stringify({ bench: 'console', machine: describeMachine(), ...figures }, null, 2));
} finally {
  await browser.close();
  await business.server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Opens the list of deliveries, signed in across reloads, without a cache. */
async function openSlowPage({ key }: BusinessSeed): Promise<Page> {
  const { page } = await openPage(browser, `${business.server.url}/console/webhooks/deliveries`, WIDE);
  await page.context().addInitScript(OBSERVE_TASKS);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await signIn(page, key, true);
  return page;
}

/** The time from the start of the navigation to the first row of the list. */
async function measureFirstPage(page: Page) {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    await page.reload({ waitUntil: 'commit' });
    await page.locator('main tbody tr').first().waitFor();
    times.push(await page.evaluate<number>('performance.now()'));
  }
  return summarize(times);
}

/** The time from Enter to a list with only the wanted rows. */
async function measureFilter(page: Page) {
  const times: number[] = [];
  const field = page.getByLabel('Event type');
  for (let i = 0; i < ROUNDS; i++) {
    const type = FILTERS[i % FILTERS.length]!;
    await field.fill(type);
    const began = performance.now();
    await field.press('Enter');
    await page.locator(OTHER_ROWS(type)).first().waitFor({ state: 'detached' });
    times.push(performance.now() - began);
  }
  return summarize(times);
}

async function measureLive(page: Page, { key }: BusinessSeed) {
  await goTo(page, 'Webhooks', 'Live events');
  const reader = await EventReader.open(`${business.server.url}/v1/webhooks/events/stream`, {
    authorization: `Bearer ${key}`,
  });
  await publish(1);
  await page.locator('main tbody tr').first().waitFor();
  await page.evaluate('longTasks.length = 0');
  const [count, began] = [reader.messages.length, performance.now()];
  await publish(LIVE_SECONDS);
  const seconds = (performance.now() - began) / 1_000;
  const tasks = JSON.parse(await page.evaluate<string>('JSON.stringify(longTasks)')) as number[];
  const events_per_second = round((reader.messages.length - count) / seconds);
  await reader.cut();
  return { events_per_second, tasks_over_50_ms: tasks.length, longest_ms: round(Math.max(0, ...tasks)) };
}

/** Creates products at a steady rate. */
async function publish(seconds: number): Promise<void> {
  const began = performance.now();
  for (let batch = 0; batch < seconds * BATCHES_PER_SECOND; batch++) {
    const products = Array.from({ length: PRODUCTS_PER_SECOND / BATCHES_PER_SECOND }, (_, i) => ({
      name: `Product ${batch} ${i}`,
    }));
    await Promise.all(
      products.map(async (product) => requireData(await business.api.post('/v1/commerce/products', product))),
    );
    const rest = ((batch + 1) * 1_000) / BATCHES_PER_SECOND - (performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
  }
}

function summarize(times: readonly number[]) {
  return { median: round(computeMedian(times)), worst: round(Math.max(...times)) };
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { NewEvent, Recorded } from '../../../src/kernel/event.ts';
import type { CatalogueEntry, ReadModels } from '../../../src/kernel/read-models.ts';
import type { EmbeddedStores } from '../../../src/stores/embedded/embedded.ts';
import { importBuilt } from '../built.ts';

const AT_ONCE = 2_000;
const EVENTS_AT_ONCE = 500;
const POSITION = '0000000000000001';
const FIRST_AT = Date.parse('2026-01-01T00:00:00.000Z');
const STEP_MS = 2_000;
const MANY_TYPES = ['invoice.paid', 'invoice.issued', 'payment.sale.succeeded', 'product.approved'];

export interface Sizes {
  readonly deliveries: number;
  readonly payments: number;
  readonly invoices: number;
  readonly awards: number;
}

type Document = Record<string, unknown> & { readonly id: string };

/** Makes a store large, from what is in it: documents, jobs and streams, put there by its own ports. */
export async function fill(dataDir: string, sizes: Sizes): Promise<void> {
  const embedded = await importBuilt<{ openEmbedded(options: { file: string }): Promise<EmbeddedStores> }>('stores/embedded/embedded.js');
  const stores = await embedded.openEmbedded({ file: join(dataDir, 'store.sqlite') });
  try {
    await multiply(stores, 'deliveries', sizes.deliveries, delivery);
    await multiply(stores, 'payments', sizes.payments, payment);
    await multiply(stores, 'invoices', sizes.invoices, (document, n) => ({ ...document, number: `2025-${n}` }));
    await jobs(stores, sizes.payments);
    await lengthen(stores, 'PointsAwarded', sizes.awards, (data, n) => ({ ...data, awardId: `pta_${n}`, balance: n + 2, points: 1 }));
    await lengthen(stores, 'InvoiceNumberAssigned', sizes.invoices, (data, n) => ({
      ...data,
      invoiceId: `inv_${n}`,
      number: `2026-${n + 2}`,
    }));
    await lengthen(stores, 'SaleCredited', sizes.invoices, (data, n) => ({ ...data, paymentId: `pay_${n}` }));
    await bePast(stores);
  } finally {
    await stores.close();
  }
}

function delivery(document: Document, n: number): Document {
  const status = n % 50 === 0 ? 'failed' : 'success';
  return {
    ...document,
    event_id: `evt_${n}`,
    event_type: MANY_TYPES[n % MANY_TYPES.length],
    status,
    response_status: status === 'failed' ? 500 : 200,
    test: false,
    _unsuccessful: status === 'failed' ? status : null,
    _refusal: status === 'failed' ? 500 : null,
    _refusal_class: status === 'failed' ? 5 : null,
    _test: null,
  };
}

function payment(document: Document, n: number): Document {
  const cashFlowAt = new Date(FIRST_AT + n * STEP_MS + 7 * 86_400_000).toISOString();
  const buyer = document.buyer as { readonly email: object };
  return { ...document, cash_flow_at: cashFlowAt, buyer: { ...buyer, email: { ...buyer.email, hash: `hash ${n % 5_000}` } } };
}

async function multiply(
  { models }: EmbeddedStores,
  name: string,
  size: number,
  change: (document: Document, n: number) => Document,
): Promise<void> {
  const build = await activeBuild(models, name);
  const [template] = await models.find<Document>(build, { where: {}, orderBy: 'created_at', limit: 1 });
  for (let n = 0; n < size; n += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, size - n) }, (_, i) => {
      const id = `${template!.id}${String(n + i).padStart(8, '0')}`;
      const created_at = new Date(FIRST_AT + (n + i) * STEP_MS).toISOString();
      return { id, position: POSITION, document: change({ ...template!, id, created_at }, n + i) };
    });
    await models.save(build, rows);
    if (n % 100_000 === 0) console.error(`${name}: ${n}`);
  }
}

async function activeBuild(models: ReadModels, name: string): Promise<string> {
  const entry = (await models.catalogue()).find((one: CatalogueEntry) => one.name.startsWith(`${name}@`))!;
  return `${entry.name}#${(entry.value as { readonly active: number }).active}`;
}

async function jobs({ jobs }: EmbeddedStores, size: number): Promise<void> {
  for (let n = 0; n < size; n += AT_ONCE) {
    const due = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const of = (i: number) => ({ key: `funds:pay_${n + i}`, queue: 'funds', due, data: { paymentId: `pay_${n + i}` } });
    await jobs.put(Array.from({ length: Math.min(AT_ONCE, size - n) }, (_, i) => of(i)));
  }
}

/** More events of this type, in the stream that has one. */
async function lengthen(
  { events }: EmbeddedStores,
  type: string,
  size: number,
  change: (data: object, n: number) => object,
): Promise<void> {
  const template = await firstOf(events, type);
  let revision = template.revision;
  for (let n = 0; n < size; n += EVENTS_AT_ONCE) {
    const news = Array.from({ length: Math.min(EVENTS_AT_ONCE, size - n) }, (_, i): NewEvent => {
      return { id: randomUUID(), type, data: change(template.data, n + i), meta: { ...template.meta, commandId: randomUUID() } };
    });
    ({ revision } = await events.append(template.stream, revision, news));
  }
  console.error(`${template.stream}: ${revision + 1} events`);
}

async function firstOf(events: EmbeddedStores['events'], type: string): Promise<Recorded> {
  for (let after = ''; ;) {
    const page = await events.readAll({ after, limit: 500 });
    const found = page.events.find((event) => event.type === type);
    if (found !== undefined) return found;
    if (page.caughtUp) throw new Error(`the store has no ${type}`);
    after = page.next;
  }
}

/** Whoever follows the log has seen all of it: what is measured is no catching up. */
async function bePast({ events, models }: EmbeddedStores): Promise<void> {
  const head = await events.head();
  await models.advance(Object.fromEntries((await models.checkpointNames()).map((name) => [name, head])));
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import type * as embedded from '../../../src/stores/embedded/embedded.ts';
import type { EmbeddedStores } from '../../../src/stores/embedded/embedded.ts';
import { importBuilt } from '../built.ts';
import { type Document, insert, multiplyDocuments, type Rows } from './fill-documents.ts';

const EVENTS_PER_APPEND = 500;
const MANY_TYPES = ['invoice.paid', 'invoice.issued', 'payment.sale.succeeded', 'product.approved'];

export interface Sizes {
  readonly deliveries: number;
  readonly payments: number;
  readonly invoices: number;
  readonly awards: number;
}

/**
 * Fills a store with copies of its contents: events through the port, documents and jobs by large transactions on its
 * file.
 */
export async function fill(dataDir: string, sizes: Sizes): Promise<void> {
  const file = join(dataDir, 'store.sqlite');
  const { openEmbedded } = await importBuilt<typeof embedded>('stores/embedded/embedded.js');
  const stores = await openEmbedded({ file });
  let rows: Rows[];
  try {
    rows = [
      await multiplyDocuments(stores, 'deliveries', sizes.deliveries, createDelivery),
      await multiplyDocuments(stores, 'payments', sizes.payments, createPayment),
      await multiplyDocuments(stores, 'invoices', sizes.invoices, (document, n) => ({
        ...document,
        number: `2025-${n}`,
      })),
    ];
    await lengthenStream(stores, 'PointsAwarded', sizes.awards, (data, n) => ({
      ...data,
      awardId: `pta_${n}`,
      balance: n + 2,
      points: 1,
    }));
    await lengthenStream(stores, 'InvoiceNumberAssigned', sizes.invoices, (data, n) => ({
      ...data,
      invoiceId: `inv_${n}`,
      number: `2026-${n + 2}`,
    }));
    await lengthenStream(stores, 'SaleCredited', sizes.invoices, (data, n) => ({ ...data, paymentId: `pay_${n}` }));
    await advanceCheckpoints(stores);
  } finally {
    await stores.close();
  }
  insert(file, [...rows, createJobs(sizes.payments)]);
}

function createDelivery(document: Document, n: number): Document {
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

function createPayment(document: Document, n: number): Document {
  const cashFlowAt = new Date(Date.parse(document.created_at) + 7 * 86_400_000).toISOString();
  const buyer = document.buyer as { readonly email: object };
  return {
    ...document,
    cash_flow_at: cashFlowAt,
    buyer: { ...buyer, email: { ...buyer.email, hash: `hash ${n % 5_000}` } },
  };
}

function createJobs(size: number): Rows {
  const due = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const row = (n: number) => [`funds:pay_${n}`, 'funds', due, JSON.stringify({ paymentId: `pay_${n}` })];
  return { name: 'jobs', statement: 'insert into jobs (key, queue, due, data) values (?, ?, ?, ?)', size, row };
}

/** Appends more events of this type to the stream that has one. */
async function lengthenStream(
  { events }: EmbeddedStores,
  type: string,
  size: number,
  change: (data: object, n: number) => object,
): Promise<void> {
  const template = await findFirst(events, type);
  let revision = template.revision;
  for (let n = 0; n < size; n += EVENTS_PER_APPEND) {
    const news = Array.from({ length: Math.min(EVENTS_PER_APPEND, size - n) }, (_, i): NewEvent => {
      return {
        id: randomUUID(),
        type,
        data: change(template.data, n + i),
        meta: { ...template.meta, commandId: randomUUID() },
      };
    });
    ({ revision } = await events.append(template.stream, revision, news));
  }
  console.error(`${template.stream}: ${revision + 1} events`);
}

async function findFirst(events: EmbeddedStores['events'], type: string): Promise<RecordedEvent> {
  for (let after = ''; ;) {
    const page = await events.readAll({ after, limit: 500 });
    const found = page.events.find((event) => event.type === type);
    if (found !== undefined) return found;
    if (page.caughtUp) throw new Error(`the store has no ${type}`);
    after = page.next;
  }
}

/** Advances all checkpoints to the head, so that consumers do not catch up during the measurement. */
export async function advanceCheckpoints({ events, checkpoints }: EmbeddedStores): Promise<void> {
  const head = await events.readHead();
  await checkpoints.advanceCheckpoints(
    Object.fromEntries((await checkpoints.listCheckpointNames()).map((name) => [name, head])),
  );
}

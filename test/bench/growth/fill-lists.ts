import { join } from 'node:path';
import type * as embedded from '../../../src/stores/embedded/embedded.ts';
import { importBuilt } from '../built.ts';
import { copyId, type Document, insert, multiplyDocuments } from './fill-documents.ts';
import { advanceCheckpoints } from './fill-store.ts';

export interface ListSizes {
  readonly payments: number;
  /** The size of each other list. */
  readonly others: number;
}

const DAY_MS = 86_400_000;
const BUYERS = 5_000;
const PRODUCTS = 10;

type Change = (document: Document, n: number) => Document;

const CHANGES: Readonly<Record<string, Change>> = {
  payments: (document, n) => ({
    ...withBuyer(document, n),
    cash_flow_at: new Date(Date.parse(document.created_at) + 7 * DAY_MS).toISOString(),
  }),
  orders: withBuyer,
  orderProducts: (document, n) => {
    const { order } = document as unknown as { readonly order: { readonly id: string } };
    const product = { object: 'product', id: toProductId(n) };
    return { ...withBuyer(document, n), order: { ...order, id: copyId(order.id, n) }, product };
  },
  refunds: (document, n) => ({
    ...document,
    status: n % 50 === 0 ? 'failed' : 'succeeded',
    payment: { object: 'payment', id: `pay_${n}` },
    order: { object: 'order', id: `ord_${n}` },
    _buyerId: toBuyerId(n),
  }),
  invoices: (document, n) => ({
    ...withBuyer(document, n),
    number: `2025-${n}`,
    status: n % 50 === 0 ? 'void' : 'paid',
    kind: n % 4 === 0 ? 'sale' : 'renewal',
    order: { object: 'order', id: `ord_${n}` },
    subscription: { object: 'subscription', id: `ps_${n % BUYERS}` },
  }),
  subscriptions: (document, n) => {
    const state = ['active', 'active', 'active, ending', 'past_due', 'cancelled'][n % 5]!;
    const plan = { object: 'payment_plan', id: `plan_${n % (2 * PRODUCTS)}` };
    return { ...document, _state: state, _product: toProductId(n), plan, _buyerId: toBuyerId(n) };
  },
};

/** Fills the lists of a shop with copies of their documents. */
export async function fillLists(dataDir: string, { payments, others }: ListSizes): Promise<void> {
  const file = join(dataDir, 'store.sqlite');
  const { openEmbedded } = await importBuilt<typeof embedded>('stores/embedded/embedded.js');
  const stores = await openEmbedded({ file });
  const rows = [];
  try {
    for (const [name, change] of Object.entries(CHANGES))
      rows.push(await multiplyDocuments(stores, name, name === 'payments' ? payments : others, change));
    await advanceCheckpoints(stores);
  } finally {
    await stores.close();
  }
  insert(file, rows);
}

function withBuyer(document: Document, n: number): Document {
  return { ...document, buyer: { ...(document.buyer as object), id: toBuyerId(n) } };
}

/** The first buyers are in the list once for each `BUYERS` documents. */
function toBuyerId(n: number): string {
  return `buy_${n % BUYERS}`;
}

function toProductId(n: number): string {
  return `prod_${n % PRODUCTS}`;
}

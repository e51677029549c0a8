import { eventually } from '../../support/eventually.js';
import type { CommerceFixture } from '../commerce-fixture.js';
import { listAll } from './shop-year.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the resources of several lists */

const LIMIT = 100;
/** Facts without a public event: a later retry, a written-off invoice, and a withdrawn change. */
const SILENT = { subscription: ['next_billing_at', 'pending_change'], invoice: ['refunded_amount_cents'] };

/** Returns the data of the event with the greatest sequence for each resource. */
export async function consumeEvents({ api }: CommerceFixture): Promise<ReadonlyMap<string, any>> {
  const latest = new Map<string, { readonly sequence: number; readonly data: any }>();
  for (let after: string | null = ''; after !== null;) {
    const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { data, pagination } = (await api.get(`/v1/webhooks/events?limit=${LIMIT}${query}`)).body;
    // The newest event comes first, so the order of arrival is the wrong one.
    for (const { sequence, data: resource } of data)
      if (sequence > (latest.get(resource.id)?.sequence ?? 0)) latest.set(resource.id, { sequence, data: resource });
    after = pagination.next_cursor;
  }
  return new Map([...latest].map(([id, { data }]) => [id, data]));
}

/** Returns the resources whose last event differs from what the API answers. */
export async function findOutdated(shop: CommerceFixture): Promise<string[]> {
  const find = async () => {
    const known = await consumeEvents(shop);
    const subscriptions = await listAll(shop, 'subscriptions');
    const invoices = (await listAll(shop, 'invoices')).filter(({ status }) => status !== 'uncollectible');
    return [
      ...subscriptions.flatMap((one) => compare(one, known.get(one.id), SILENT.subscription)),
      ...invoices.flatMap((one) => compare(one, known.get(one.id), SILENT.invoice)),
    ];
  };
  return eventually(find, (outdated) => outdated.length === 0).catch(find);
}

function compare(current: any, known: any, silent: readonly string[]): string[] {
  return Object.keys(current)
    .filter((field) => !silent.includes(field))
    .filter((field) => JSON.stringify(current[field]) !== JSON.stringify(known?.[field]))
    .map((field) => `${current.id} ${field}: ${JSON.stringify(known?.[field])}, not ${JSON.stringify(current[field])}`);
}

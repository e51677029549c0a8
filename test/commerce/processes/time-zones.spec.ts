import { rm } from 'node:fs/promises';
import { type Api, requireData } from '../../support/api.js';
import { createTempFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { MONTHLY } from '../commerce-fixture.js';

const BUYER = { email: 'ada@example.com' };

/** Sells a subscription by a service in this time zone, and returns its invoices, the oldest first, and its next date. */
async function sellAndRenew(api: Api, now: string) {
  const setClock = async (time: string) => requireData(await api.put('/v1/commerce/test-clock', { now: time }));
  const post = async (path: string, body: object) => requireData(await api.post(`/v1/commerce/${path}`, body));
  await setClock(now);
  const product = await post('products', { name: 'A club', plans: [MONTHLY] });
  const cart = await post('carts', { buyer: BUYER });
  await post(`carts/${cart.id}/lines`, { product_id: product.id });
  const order = await post(`carts/${cart.id}/checkout`, { payment_method: { token: 'tok_ok' } });
  const path = `/v1/commerce/subscriptions/${order.line_items[0].subscription.id}`;
  const { next_billing_at: next } = requireData(await api.get(path));
  await setClock(next);
  const invoices = requireData(await api.get('/v1/commerce/invoices')) as { number: string }[];
  return { next, numbers: invoices.map(({ number }) => number).reverse() };
}

describe('The dates of a sale', () => {
  it.each([
    ['America/Los_Angeles', '2031-01-01T03:00:00.000Z', '2031-02-01T03:00:00.000Z', ['2031-000001', '2031-000002']],
    ['Pacific/Kiritimati', '2030-12-31T12:00:00.000Z', '2031-01-31T12:00:00.000Z', ['2030-000001', '2031-000001']],
    ['Europe/Berlin', '2031-03-31T22:30:00.000Z', '2031-04-30T22:30:00.000Z', ['2031-000001', '2031-000002']],
  ])('are those of UTC in a service in %s', async (zone, now, next, numbers) => {
    const folder = await createTempFolder();
    const service = await ServiceProcess.start(folder, { TZ: zone, PRODUCT_REVIEW: 'auto' });
    const sold = await sellAndRenew(service.createApi(service.firstTestKey), now).finally(() => service.stop());
    await rm(folder, { recursive: true });

    expect(sold).toEqual({ next, numbers });
  });
});

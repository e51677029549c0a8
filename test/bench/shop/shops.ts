import { Api, requireData } from '../../support/api.ts';
import { signSessionToken } from '../../support/ops.ts';

const PLAN = { kind: 'subscription', amount_cents: 4900, currency: 'EUR', interval: 'month' };

/** Purchases at the same time. */
export const IN_FLIGHT = 24;

/** A business with a product that can be bought. */
export interface Shop {
  readonly api: Api;
  readonly productId: string;
}

/** Creates businesses of one owner, each with a live key and a product. The service approves products by itself. */
export async function createShops(url: string, dataDir: string, count: number): Promise<readonly Shop[]> {
  const owner = new Api(url, await signSessionToken(dataDir, 'seller', 'seller@example.com'));
  const shops: Shop[] = [];
  for (let n = 1; n <= count; n++) shops.push(await createShop(url, owner, `Shop ${n}`));
  return shops;
}

async function createShop(url: string, owner: Api, name: string): Promise<Shop> {
  const business = requireData(await owner.post('/v1/businesses', { name }));
  const acting = owner.withHeaders({ 'x-service-business-id': business.id });
  const key = requireData(await acting.post('/v1/auth/api-keys', { name, mode: 'live', access: 'full' }));
  const api = new Api(url, key.secret);
  const product = requireData(await api.post('/v1/commerce/products', { name: 'A course', plans: [PLAN] }));
  const read = () => api.get(`/v1/commerce/buyer/products/${product.id}`);
  while (!requireData(await read()).purchasable);
  return { api, productId: product.id };
}

/** Buys the product of the shop: a cart, its line and the checkout. */
export async function buy({ api, productId }: Shop, buyer: string): Promise<void> {
  const cart = requireData(await api.post('/v1/commerce/carts', { buyer: { email: `${buyer}@example.com` } }));
  requireData(await api.post(`/v1/commerce/carts/${cart.id}/lines`, { product_id: productId }));
  const payment = { payment_method: { token: 'tok_ok' } };
  requireData(await api.post(`/v1/commerce/carts/${cart.id}/checkout`, payment));
}

/** Makes the purchases with these numbers from the shops in turn; the end is exclusive. */
export async function buyRange(shops: readonly Shop[], first: number, end: number): Promise<void> {
  let next = Math.ceil(first);
  const buyAgain = async () => {
    while (next < end) {
      const n = next++;
      await buy(shops[n % shops.length]!, `buyer${n}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, buyAgain));
}

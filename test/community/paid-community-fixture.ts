import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type CommunityFixture, startCommunity } from './community-fixture.js';
import { createCommunity, emailFor } from './community-users.js';

const SUBSCRIPTION = { kind: 'subscription', amount_cents: 900, currency: 'EUR', interval: 'month' };
export const ONE_TIME = { kind: 'one_time', amount_cents: 2500, currency: 'EUR' };
export const INSTALLMENTS = {
  kind: 'installment',
  amount_cents: 500,
  currency: 'EUR',
  interval: 'month',
  installments_count: 3,
};

/** A service with a business whose communities are sold. */
export interface PaidCommunityFixture extends CommunityFixture {
  /** Creates an approved product with one plan, and returns its id. */
  createProduct(plan?: object): Promise<string>;
  /** Creates a paid community of the product, and returns its path. */
  createPaid(productId: string): Promise<string>;
  /** Buys the product under the address of a name, and returns the order. */
  buy(name: string, productId: string): Promise<ApiResponse['body']>;
  refund(order: { payments: readonly { id: string }[] }, body?: object): Promise<ApiResponse>;
  cancel(subscriptionId: string, mode?: string): Promise<ApiResponse>;
}

export async function startPaidCommunities(): Promise<PaidCommunityFixture> {
  const fixture = await startCommunity();
  const { service, key } = fixture;
  const reviewer = service.createApi(await service.signToken('rev', { reviewer: true }));
  return {
    ...fixture,
    createProduct: async (plan = SUBSCRIPTION) => {
      const { id } = requireData(await key.post('/v1/commerce/products', { name: 'Masters', plans: [plan] }));
      await reviewer.post(`/v1/commerce/products/${id}/approve`);
      return id;
    },
    createPaid: async (product_id) =>
      `/v1/community/communities/${(await createCommunity(key, { name: 'Masters', tier: 'paid', product_id })).id}`,
    buy: async (name, product_id) => {
      const cart = requireData(await key.post('/v1/commerce/carts', { buyer: { email: emailFor(name) } }));
      await key.post(`/v1/commerce/carts/${cart.id}/lines`, { product_id });
      const method = { payment_method: { token: 'tok_ok' } };
      return requireData(await key.post(`/v1/commerce/carts/${cart.id}/checkout`, method));
    },
    refund: (order, body = {}) => key.post(`/v1/commerce/payments/${order.payments[0]!.id}/refunds`, body),
    cancel: (subscription, mode = 'immediately') =>
      key.post(`/v1/commerce/subscriptions/${subscription}/cancel`, { mode }),
  };
}

/** Joins when the purchase is known to the community, and returns the status. */
export async function joinPaid(buyer: Api, paid: string): Promise<number> {
  const answer = await eventually(
    () => buyer.post(`${paid}/join`),
    ({ status }) => status !== 403,
  );
  return answer.status;
}

/** Waits until the user is no member any more. */
export async function expectRemoval(member: Api, paid: string): Promise<void> {
  const answer = await eventually(
    () => member.get(`${paid}/members`),
    ({ status }) => status !== 200,
  );
  expect(answer.status).toBe(403);
}

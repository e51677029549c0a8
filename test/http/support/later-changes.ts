import type { Ids, Row } from '../../access/table.js';
import type { AccessFixture } from '../../access/world.js';
import { type Api, requireData } from '../../support/api.js';

/** The change between a request without a response and the same request again. */
export interface LaterChange {
  /** The resources and the body of the request, where those of the table of permissions are not enough. */
  readonly ids?: Row['ids'];
  readonly body?: (world: AccessFixture, ids: Ids) => object | Promise<object>;
  /** Changes the resources; `fill` in its place sends the same request until it is refused. */
  readonly change?: 'fill' | ((api: Api, ids: Ids, world: AccessFixture) => Promise<unknown>);
  /** The code that a first request gets after the change; null where no state of the resources refuses it. */
  readonly refusal: string | null;
}

const PARTS = {
  kind: 'installment',
  amount_cents: 3300,
  currency: 'EUR',
  interval: 'month',
  installments_count: 3,
} as const;

const removeEndpoint = async (api: Api, { id }: Ids) => requireData(await api.delete(`/v1/webhooks/endpoints/${id}`));
const cancelSubscription = async (api: Api, { id }: Ids) =>
  requireData(await api.post(`/v1/commerce/subscriptions/${id}/cancel`, { mode: 'immediately' }));
const cancelOffer = async (api: Api, { id }: Ids) => requireData(await api.post(`/v1/commerce/offers/${id}/cancel`));
const checkOutCart = async (api: Api, { id }: Ids) =>
  requireData(await api.post(`/v1/commerce/carts/${id}/checkout`, { payment_method: { token: 'tok_ok' } }));
const denyProduct = async (_: Api, { id }: Ids, world: AccessFixture) => {
  const reviewer = await world.apiFor('reviewer', false);
  requireData(await reviewer.post(`/v1/commerce/products/${id}/deny`, { reason: 'Not this.' }));
};

/** The changes by route: one for each operation that takes an Idempotency-Key. */
export const LATER_CHANGES: Readonly<Record<string, LaterChange>> = {
  'POST /v1/businesses': { change: 'fill', refusal: 'business_limit_reached' },
  'POST /v1/auth/api-keys': { change: 'fill', refusal: 'key_limit_reached' },
  'POST /v1/auth/api-keys/:id/rotations': { refusal: 'key_ended' },
  'POST /v1/audit/exports': { refusal: null },
  'POST /v1/webhooks/endpoints': { change: 'fill', refusal: 'endpoint_limit_reached' },
  'POST /v1/webhooks/endpoints/:id/test-events': { change: removeEndpoint, refusal: 'not_found' },
  'POST /v1/webhooks/endpoints/:id/secret-rotations': { change: removeEndpoint, refusal: 'not_found' },
  'POST /v1/webhooks/deliveries/:delivery_id/replay': {
    change: async (api, { delivery_id: id }) => {
      const { endpoint } = requireData(await api.get(`/v1/webhooks/deliveries/${id}`));
      await removeEndpoint(api, endpoint);
    },
    refusal: 'endpoint_disabled',
  },
  'POST /v1/webhooks/replay-jobs': {
    ids: async (world) => ({ id: (await world.endpoint()).id as string }),
    body: (_world, ids) => ({ created_from: '2026-11-01', created_to: '2026-11-02', endpoint_id: ids.id }),
    change: removeEndpoint,
    refusal: 'validation_failed',
  },
  'POST /v1/webhooks/replay-jobs/:id/cancel': { refusal: null },
  'POST /v1/commerce/products': { refusal: null },
  'POST /v1/commerce/products/:id/plans': { change: 'fill', refusal: 'validation_failed' },
  'POST /v1/commerce/products/:id/images': { change: 'fill', refusal: 'validation_failed' },
  'POST /v1/commerce/products/:id/attachments': { change: 'fill', refusal: 'validation_failed' },
  'POST /v1/commerce/products/:id/approve': { change: denyAfterEdit, refusal: 'product_not_in_review' },
  'POST /v1/commerce/products/:id/deny': { refusal: 'product_not_in_review' },
  'POST /v1/commerce/discounts': { refusal: 'discount_code_taken' },
  'POST /v1/commerce/offers': {
    change: async (api, _ids, world) => deactivate(api, (await world.approvedProduct()).id),
    refusal: 'not_saleable',
  },
  'POST /v1/commerce/offers/:id/send': { change: cancelOffer, refusal: 'offer_not_sendable' },
  'POST /v1/commerce/offers/:id/resend': { change: cancelOffer, refusal: 'offer_not_sendable' },
  'POST /v1/commerce/offers/:id/cancel': { refusal: null },
  'POST /v1/commerce/carts': {
    ids: async (world) => ({ ...(await world.discount()) }),
    body: (_, { code }) => ({ discount_code: code }),
    change: async (api, { id }) => requireData(await api.delete(`/v1/commerce/discounts/${id}`)),
    refusal: 'discount_invalid',
  },
  'POST /v1/commerce/carts/:id/lines': { change: checkOutCart, refusal: 'cart_not_open' },
  'POST /v1/commerce/carts/:id/checkout': {
    change: async (api, _ids, world) => deactivate(api, (await world.approvedProduct()).id),
    refusal: 'cart_not_open',
  },
  'POST /v1/commerce/orders/:id/installments/cancellations': {
    ids: async (world) => ({ id: (await world.order(PARTS)).id as string }),
    refusal: null,
  },
  'POST /v1/commerce/payments/:id/refunds': {
    change: async (api, { id }) => requireData(await api.post(`/v1/commerce/payments/${id}/refunds`, {})),
    refusal: 'payment_already_refunded',
  },
  'POST /v1/commerce/payouts': {
    body: async (world) => {
      await world.soldItem('payments');
      return { amount_cents: 4_000, currency: 'EUR' };
    },
    refusal: 'insufficient_seller_balance',
  },
  'POST /v1/commerce/subscriptions/:id/plan': { change: cancelSubscription, refusal: 'no_change' },
  'POST /v1/commerce/subscriptions/:id/price': { change: cancelSubscription, refusal: 'subscription_not_active' },
  'POST /v1/commerce/subscriptions/:id/pause': { change: cancelSubscription, refusal: 'subscription_not_pausable' },
  'POST /v1/commerce/subscriptions/:id/resume': { change: cancelSubscription, refusal: 'subscription_not_paused' },
  'POST /v1/commerce/subscriptions/:id/cancel': { refusal: null },
  'POST /v1/commerce/subscriptions/:id/uncancel': {
    change: cancelSubscription,
    refusal: 'no_scheduled_cancellation',
  },
};

/** Denies a product that was approved: the seller changes it first. */
async function denyAfterEdit(_: Api, ids: Ids, world: AccessFixture): Promise<void> {
  const seller = await world.apiFor('secret key', false);
  requireData(await seller.patch(`/v1/commerce/products/${ids.id}`, { name: 'Another' }));
  await denyProduct(seller, ids, world);
}

async function deactivate(api: Api, productId: string): Promise<void> {
  requireData(await api.patch(`/v1/commerce/products/${productId}`, { status: 'inactive' }));
}

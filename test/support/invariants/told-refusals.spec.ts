import { logOf } from './planted.js';
import { unfoundedRefusals, type ToldRefusal } from './told-refusals.js';

const CART = 'cart_1';
const DELIVERY = 'whd_1';
const log = logOf(
  [`cart-${CART}`, { type: 'CartCheckedOut', data: { cartId: CART } }],
  ['endpoint-whs_1', { type: 'EndpointDeleted', data: { endpointId: 'whs_1' } }],
  ['chain-c1', { type: 'ChainPlanned', data: { chainId: 'c1', endpointId: 'whs_2' } }],
  ['chain-c1', { type: 'AttemptStarted', data: { chainId: 'c1', deliveryId: DELIVERY } }],
  ['endpoint-whs_2', { type: 'EndpointDisabled', data: { endpointId: 'whs_2' } }],
);
const AT = Date.parse(log[0]!.meta.at);

describe('The check that a refusal is borne out by the log', () => {
  it.each<[string, Partial<ToldRefusal>]>([
    ['a cart that is checked out', { path: `/v1/commerce/carts/${CART}/lines`, code: 'cart_not_open' }],
    ['an endpoint that is deleted', { path: '/v1/webhooks/endpoints/whs_1', status: 404, code: 'not_found' }],
    ['a delivery that is under way', { path: `/v1/webhooks/deliveries/${DELIVERY}/replay`, code: 'delivery_in_progress' }],
    ['a delivery to an endpoint that is disabled', { path: `/v1/webhooks/deliveries/${DELIVERY}/replay`, code: 'endpoint_disabled' }],
    ['another change at the same time', { path: `/v1/commerce/carts/${CART}/lines`, status: 409, code: 'concurrent_update' }],
    ['a first request that is still running', { path: '/v1/commerce/products', status: 409, code: 'idempotency_key_in_progress' }],
  ])('is content with %s', (_, told) => expect(unfoundedRefusals([refusal(told)], log)).toEqual([]));

  it.each<[string, Partial<ToldRefusal>]>([
    ['a cart that is open', { path: '/v1/commerce/carts/cart_2/lines', code: 'cart_not_open' }],
    ['a cart that was checked out later', { path: `/v1/commerce/carts/${CART}/lines`, code: 'cart_not_open', toldAt: AT - 1 }],
    ['something that was never deleted', { path: `/v1/commerce/carts/${CART}/lines`, status: 404, code: 'not_found' }],
    ['a delivery that is not held', { path: `/v1/webhooks/deliveries/${DELIVERY}/replay`, status: 409, code: 'delivery_replayed_by_job' }],
    ['something new that changed at the same time', { path: '/v1/commerce/products', status: 409, code: 'concurrent_update' }],
    [
      'no change at that time',
      { path: `/v1/commerce/carts/${CART}/lines`, status: 409, code: 'concurrent_update', askedAt: AT + 60_000, toldAt: AT + 60_000 },
    ],
    ['a code that it does not know', { path: `/v1/commerce/carts/${CART}`, code: 'out_of_luck' }],
  ])('finds a refusal for %s', (_, told) => expect(unfoundedRefusals([refusal(told)], log)).toHaveLength(1));
});

function refusal(told: Partial<ToldRefusal>): ToldRefusal {
  return { method: 'POST', path: '/', status: 422, code: '', askedAt: AT, toldAt: AT, ...told };
}

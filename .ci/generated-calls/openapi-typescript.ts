import type { components, operations, webhooks } from './api.js';

type CreateProduct = operations['createProduct']['requestBody']['content']['application/json'];
type Completed = webhooks['cart.order.completed']['post']['requestBody']['content']['application/json'];

export const product: CreateProduct = { name: 'A course', metadata: { team: 'billing', tags: ['a'] } };
export const cart: components['schemas']['CreateCartBody'] = { metadata: { campaign: 'spring' } };
export const job: operations['createReplayJob']['responses'][201]['content']['application/json']['data']['id'] =
  'whj_1';
export const amountOf = ({ data }: Completed): number => data.total_amount_cents;

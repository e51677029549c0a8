import { createProduct, sendTestEvent } from './client/index.js';
import { client } from './client/client.gen.js';

declare const process: { env: Record<string, string> };

export const test = () =>
  sendTestEvent({
    path: { id: 'whs_1' },
    headers: { 'Idempotency-Key': 'first' },
    body: { event_type: 'cart.order.completed' },
  });

client.setConfig({ baseUrl: process.env.API_URL!, auth: () => process.env.API_KEY! });
createProduct({ body: { name: 'A course', metadata: { team: 'billing' } } }).then(({ data }) =>
  console.log('called', data!.data.id),
);

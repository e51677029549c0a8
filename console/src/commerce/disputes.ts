import { id, money, reference, status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { BUYER, CREATED } from './sales-columns';

export const disputes: Resource = {
  name: 'disputes',
  title: 'Disputes',
  listPath: '/v1/commerce/disputes',
  itemPath: '/v1/commerce/disputes/{id}',
  pagination: 'page',
  columns: [
    id(),
    status(),
    money('amount_cents', 'Amount'),
    text('reason'),
    time('evidence_due_at', 'Evidence due'),
    time(),
    reference('payment'),
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'several', options: ['open', 'won', 'lost'] },
    { name: 'payment_id', label: 'Payment id' },
    BUYER,
    ...CREATED,
  ],
  actions: [
    {
      label: 'Decide',
      method: 'PUT',
      path: '/v1/commerce/disputes/{id}/outcome',
      isShown: ({ status: current }, { mode }) => current === 'open' && mode === 'test',
      fields: [{ name: 'status', label: 'Outcome', kind: 'choice', options: ['won', 'lost'], required: true }],
    },
  ],
  whenEmpty: 'A dispute appears here when the bank of a buyer asks for the money of a payment.',
};

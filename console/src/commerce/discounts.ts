import { status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';

export const discounts: Resource = {
  name: 'discounts',
  title: 'Discounts',
  listPath: '/v1/commerce/discounts',
  pagination: 'page',
  columns: [text('code'), text('percent_off', 'Percent off'), text('duration'), status(), text('redemptions'), time()],
  creations: [
    {
      label: 'New discount',
      method: 'POST',
      path: '/v1/commerce/discounts',
      fields: [
        { name: 'code', label: 'Code', required: true, help: '3 to 40 characters' },
        { name: 'percent_off', label: 'Percent off', kind: 'integer', required: true },
        { name: 'duration', label: 'Duration', kind: 'choice', options: ['once', 'repeating', 'forever'] },
        { name: 'months', label: 'Months', kind: 'integer', help: 'Only for a repeating discount' },
      ],
    },
  ],
  actions: [
    {
      label: 'Delete',
      method: 'DELETE',
      path: '/v1/commerce/discounts/{id}',
      isShown: ({ status: current }) => current === 'active',
      destroys: ({ code }) => ({ effect: 'New carts can no longer use this code.', name: String(code) }),
    },
  ],
  whenEmpty: 'A discount code takes a percentage off a cart.',
};

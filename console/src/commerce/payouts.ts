import { id, money, status, time } from '../resources/columns';
import type { Resource } from '../resources/resource';

export const payouts: Resource = {
  name: 'payouts',
  title: 'Payouts',
  listPath: '/v1/commerce/payouts',
  pagination: 'page',
  columns: [id(), status(), money('amount_cents', 'Amount'), time()],
  creations: [
    {
      label: 'New payout',
      method: 'POST',
      path: '/v1/commerce/payouts',
      fields: [
        { name: 'amount_cents', label: 'Amount in minor units', kind: 'cents', required: true },
        { name: 'currency', label: 'Currency', required: true },
      ],
    },
  ],
  whenEmpty: 'A payout takes money out of the balance.',
};

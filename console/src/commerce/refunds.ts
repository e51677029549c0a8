import { id, money, reference, status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { BUYER, CREATED } from './sales-columns';

export const refunds: Resource = {
  name: 'refunds',
  title: 'Refunds',
  listPath: '/v1/commerce/refunds',
  itemPath: '/v1/commerce/refunds/{id}',
  pagination: 'page',
  columns: [id(), status(), money('amount_cents', 'Amount'), reference('payment'), text('reason'), time()],
  filters: [
    { name: 'status', label: 'Status', kind: 'several', options: ['pending', 'succeeded', 'failed'] },
    { name: 'payment_id', label: 'Payment id' },
    { name: 'order_id', label: 'Order id' },
    BUYER,
    ...CREATED,
  ],
  whenEmpty: 'A refund is made on the page of its payment.',
};

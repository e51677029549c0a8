import { money, status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { BUYER, buyer, CREATED } from './sales-columns';

export const invoices: Resource = {
  name: 'invoices',
  title: 'Invoices',
  listPath: '/v1/commerce/invoices',
  itemPath: '/v1/commerce/invoices/{id}',
  pagination: 'page',
  columns: [
    text('number'),
    status(),
    buyer,
    money('total_amount_cents', 'Total'),
    text('kind'),
    time('issued_at', 'Issued'),
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'several', options: ['open', 'paid', 'void', 'uncollectible'] },
    { name: 'kind', label: 'Kind', kind: 'several', options: ['sale', 'renewal'] },
    { name: 'order_id', label: 'Order id' },
    { name: 'subscription_id', label: 'Subscription id' },
    BUYER,
    ...CREATED,
  ],
  whenEmpty: 'Each paid order and each renewal has an invoice.',
};

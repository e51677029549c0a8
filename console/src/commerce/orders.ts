import { id, money, status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { BUYER, buyer, CREATED } from './sales-columns';

export const orders: Resource = {
  name: 'orders',
  title: 'Orders',
  listPath: '/v1/commerce/orders',
  itemPath: '/v1/commerce/orders/{id}',
  pagination: 'page',
  columns: [id(), status(), buyer, money('total_amount_cents', 'Total'), text('refund_status', 'Refunds'), time()],
  filters: [{ name: 'product_id', label: 'Product id' }, BUYER, ...CREATED],
  whenEmpty: 'An order appears here when a buyer checks out a cart. Make a product first, then a cart.',
};

import { buyers } from './buyers.js';
import { carts } from './carts.js';
import { discounts } from './discounts.js';
import { invoices } from './invoices.js';
import { orders } from './orders.js';
import { payments } from './payments.js';
import { products } from './products.js';
import { subscriptions } from './subscriptions.js';
import { timers } from './timers.js';

/** The projections of the area. */
export const commerceProjections = [
  buyers,
  carts,
  discounts,
  invoices,
  orders,
  payments,
  products,
  subscriptions,
  timers,
] as const;

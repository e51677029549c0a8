import { balances } from './balances.js';
import { buyers } from './buyers.js';
import { carts } from './carts.js';
import { discounts } from './discounts.js';
import { invoices } from './invoices.js';
import { offers } from './offers.js';
import { orderProducts } from './order-products.js';
import { orders } from './orders.js';
import { payments } from './payments.js';
import { payouts } from './payouts.js';
import { products } from './products.js';
import { refunds } from './refunds.js';
import { subscriptionChanges } from './subscription-changes.js';
import { subscriptions } from './subscriptions.js';
import { timers } from './timers.js';

/** The projections of the area. A change of a test clock waits for them. */
export const commerceProjections = [
  balances,
  buyers,
  carts,
  discounts,
  invoices,
  orderProducts,
  offers,
  orders,
  payments,
  payouts,
  products,
  refunds,
  subscriptionChanges,
  subscriptions,
  timers,
] as const;

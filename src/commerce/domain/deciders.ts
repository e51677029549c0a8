import { cart } from './cart.js';
import { invoiceNumbers } from './invoice-numbers.js';
import { invoice } from './invoice.js';
import { order } from './order.js';
import { paymentPlan } from './payment-plan.js';
import { payment } from './payment.js';
import { product } from './product.js';
import { sellerBalance } from './seller-balance.js';
import { subscription } from './subscription.js';

/** The deciders of the area. */
export const commerceDeciders = [cart, invoiceNumbers, invoice, order, paymentPlan, payment, product, sellerBalance, subscription] as const;

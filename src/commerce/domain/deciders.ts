import { cartDecider } from './cart.js';
import { discountCodeClaims, discountDecider } from './discount.js';
import { installmentPlanDecider } from './installment-plan.js';
import { invoiceDecider } from './invoice.js';
import { invoiceNumbersDecider } from './invoice-numbers.js';
import { offerDecider } from './offer.js';
import { orderDecider } from './order.js';
import { paymentDecider } from './payment.js';
import { paymentPlanDecider } from './payment-plan.js';
import { productDecider } from './product.js';
import { sellerBalanceDecider } from './seller-balance.js';
import { subscriptionDecider } from './subscription.js';
import { testClockDecider } from './test-clock.js';

/** The deciders of the area. */
export const commerceDeciders = [
  cartDecider,
  discountCodeClaims,
  discountDecider,
  installmentPlanDecider,
  invoiceNumbersDecider,
  invoiceDecider,
  offerDecider,
  orderDecider,
  paymentPlanDecider,
  paymentDecider,
  productDecider,
  sellerBalanceDecider,
  subscriptionDecider,
  testClockDecider,
] as const;

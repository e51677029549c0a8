import { AreaPages } from '../app/area-pages';
import { BalancePage } from './balance-page';
import { carts, CartsPage } from './carts';
import { productReviews, products } from './products';
import { buyers, discounts, invoices, offers, orders, payments, refunds } from './sales';
import { subscriptions } from './subscriptions';
import { TestClockPage } from './test-clock-page';

const RESOURCES = [
  orders,
  payments,
  refunds,
  invoices,
  subscriptions,
  products,
  productReviews,
  offers,
  carts,
  discounts,
  buyers,
];
const PAGES = { carts: CartsPage, balance: BalancePage, 'test-clock': TestClockPage };

export function CommerceArea() {
  return <AreaPages path="/commerce" resources={RESOURCES} pages={PAGES} />;
}

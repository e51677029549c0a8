import { AreaPages } from '../app/area-pages';
import { BalancePage } from './balance-page';
import { buyers } from './buyers';
import { carts, CartsPage } from './carts';
import { discounts } from './discounts';
import { disputes } from './disputes';
import { invoices } from './invoices';
import { offers } from './offers';
import { orders } from './orders';
import { payments } from './payments';
import { productReviews, products } from './products';
import { refunds } from './refunds';
import { subscriptions } from './subscriptions';
import { TestClockPage } from './test-clock-page';

const RESOURCES = [
  orders,
  payments,
  refunds,
  disputes,
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

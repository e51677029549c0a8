import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Registry } from '../engine/registry.js';
import { CartTokens } from '../identity/authentication/cart-tokens.js';
import { IdentityModule } from '../identity/identity.module.js';
import { CartTokenIssuer } from './cart-token-issuer.js';
import { Billing } from './commands/billing.steps.js';
import { ForgetBuyerHandler } from './commands/buyer.commands.js';
import { Buyers } from './commands/buyers.steps.js';
import { cartHandlers } from './commands/cart.commands.js';
import { CartFieldResolver } from './commands/cart-fields.steps.js';
import { Carts } from './commands/carts.steps.js';
import { CheckOutCartHandler } from './commands/checkout.commands.js';
import { Checkout } from './commands/checkout.steps.js';
import { Crediting } from './commands/credit-sales.steps.js';
import { discountHandlers } from './commands/discount.commands.js';
import { Discounts } from './commands/discounts.steps.js';
import { Fulfilment } from './commands/fulfilment.steps.js';
import { lineHandlers } from './commands/line.commands.js';
import { InvoiceNumbering } from './commands/number-invoices.steps.js';
import { Plans } from './commands/plans.steps.js';
import { productHandlers } from './commands/product.commands.js';
import { Products } from './commands/products.steps.js';
import { commerceDeciders } from './domain/deciders.js';
import { commerceUpcasters } from './domain/upcasters.js';
import { BuyerProductsController } from './http/buyer-products.controller.js';
import { BuyersController } from './http/buyers.controller.js';
import { CartLinesController } from './http/cart-lines.controller.js';
import { CartsController } from './http/carts.controller.js';
import { CheckoutController } from './http/checkout.controller.js';
import { DiscountsController } from './http/discounts.controller.js';
import { InvoicesController } from './http/invoices.controller.js';
import { OrdersController } from './http/orders.controller.js';
import { PaymentsController } from './http/payments.controller.js';
import { ProductsController } from './http/products.controller.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { PaymentGateway } from './payment-gateway.js';
import { FinishCheckouts } from './processes/finish-checkouts.js';
import { RegisterPlans } from './processes/register-plans.js';
import { ReleaseFunds } from './processes/release-funds.js';
import { ReviewProducts } from './processes/review-products.js';
import { SettlePayments } from './processes/settle-payments.js';
import { buyers } from './projections/buyers.js';
import { carts } from './projections/carts.js';
import { discounts } from './projections/discounts.js';
import { invoices } from './projections/invoices.js';
import { orders } from './projections/orders.js';
import { payments } from './projections/payments.js';
import { products } from './projections/products.js';
import { subscriptions } from './projections/subscriptions.js';
import { ListBuyersHandler } from './queries/buyer.queries.js';
import { RetrieveBuyerProductHandler } from './queries/buyer-product.queries.js';
import { RetrieveCartHandler } from './queries/cart.queries.js';
import { RetrievePersonalDataHandler } from './queries/personal-data.queries.js';
import { ListSalesHandler } from './queries/sales.queries.js';
import { SimulatedGateway } from './simulated-gateway.js';

const controllers = [
  BuyerProductsController,
  BuyersController,
  CartLinesController,
  CartsController,
  CheckoutController,
  DiscountsController,
  InvoicesController,
  OrdersController,
  PaymentsController,
  ProductsController,
  SubscriptionsController,
];

const commands = [
  ForgetBuyerHandler,
  ...discountHandlers,
  ...productHandlers,
  ...cartHandlers,
  ...lineHandlers,
  CheckOutCartHandler,
];
const queries = [
  ListBuyersHandler,
  ListSalesHandler,
  RetrievePersonalDataHandler,
  RetrieveBuyerProductHandler,
  RetrieveCartHandler,
];
const helpers = [
  Billing,
  Buyers,
  CartFieldResolver,
  Carts,
  CartTokenIssuer,
  Checkout,
  Crediting,
  Discounts,
  Fulfilment,
  InvoiceNumbering,
  Plans,
  Products,
];
const processes = [RegisterPlans, FinishCheckouts, ReleaseFunds, ReviewProducts, SettlePayments];

/** Global, because authentication resolves cart tokens by `CartTokens`. */
@Global()
@Module({
  imports: [CqrsModule, IdentityModule],
  controllers,
  providers: [
    ...commands,
    ...queries,
    ...helpers,
    ...processes,
    { provide: CartTokens, useExisting: CartTokenIssuer },
    { provide: PaymentGateway, useClass: SimulatedGateway },
  ],
  exports: [CartTokens],
})
export class CommerceModule {
  constructor(
    registry: Registry,
    plans: RegisterPlans,
    checkouts: FinishCheckouts,
    funds: ReleaseFunds,
    reviews: ReviewProducts,
    settle: SettlePayments,
  ) {
    registry.add({
      deciders: commerceDeciders,
      upcasters: commerceUpcasters,
      projections: [buyers, carts, discounts, invoices, orders, payments, products, subscriptions],
      reactors: [plans, checkouts, funds, reviews, settle],
      jobs: [checkouts, funds, settle],
    });
  }
}

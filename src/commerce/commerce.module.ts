import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Config } from '../config.js';
import { Registry } from '../engine/registry.js';
import { CartTokens } from '../identity/authentication/cart-tokens.js';
import { IdentityModule } from '../identity/identity.module.js';
import { BusinessClock } from '../kernel/business-clock.js';
import { Clock } from '../kernel/clock.js';
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
import { Installments } from './commands/installments.steps.js';
import { lineHandlers } from './commands/line.commands.js';
import { InvoiceNumbering } from './commands/number-invoices.steps.js';
import { offerHandlers } from './commands/offer.commands.js';
import { Offers } from './commands/offers.steps.js';
import { PayOutHandler } from './commands/payout.commands.js';
import { Plans } from './commands/plans.steps.js';
import { productHandlers } from './commands/product.commands.js';
import { Products } from './commands/products.steps.js';
import { RefundPaymentHandler } from './commands/refund.commands.js';
import { Refunds } from './commands/refund.steps.js';
import { Renewals } from './commands/renewals.steps.js';
import { SellerBalances } from './commands/seller-balance.steps.js';
import { subscriptionHandlers } from './commands/subscription.commands.js';
import { SetTestClockHandler } from './commands/test-clock.commands.js';
import { commerceDeciders } from './domain/deciders.js';
import { commerceUpcasters } from './domain/upcasters.js';
import { DueTimers } from './due-timers.js';
import { RoutingGateway } from './gateways/routing-gateway.js';
import { StripeConnection } from './gateways/stripe/stripe-connection.js';
import { StripeEvents } from './gateways/stripe/stripe-events.js';
import { BalanceController } from './http/balance.controller.js';
import { BuyerProductsController } from './http/buyer-products.controller.js';
import { BuyersController } from './http/buyers.controller.js';
import { CartLinesController } from './http/cart-lines.controller.js';
import { CartsController } from './http/carts.controller.js';
import { CheckoutController } from './http/checkout.controller.js';
import { DiscountsController } from './http/discounts.controller.js';
import { InvoicesController } from './http/invoices.controller.js';
import { OffersController } from './http/offers.controller.js';
import { OrdersController } from './http/orders.controller.js';
import { PaymentsController } from './http/payments.controller.js';
import { ProductFilesController } from './http/product-files.controller.js';
import { ProductReviewsController } from './http/product-reviews.controller.js';
import { ProductsController } from './http/products.controller.js';
import { RefundsController } from './http/refunds.controller.js';
import { StripeEventsController } from './http/stripe-events.controller.js';
import { SubscriptionChangesController } from './http/subscription-changes.controller.js';
import { SubscriptionsController } from './http/subscriptions.controller.js';
import { TestClockController } from './http/test-clock.controller.js';
import { PaymentGateway } from './payment-gateway.js';
import { ChargeInstallments } from './processes/charge-installments.js';
import { EndSubscriptions } from './processes/end-subscriptions.js';
import { ExpireOffers } from './processes/expire-offers.js';
import { FinishCheckouts } from './processes/finish-checkouts.js';
import { FinishRefunds } from './processes/finish-refunds.js';
import { FinishRenewals } from './processes/finish-renewals.js';
import { MailOffers } from './processes/mail-offers.js';
import { RegisterPlans } from './processes/register-plans.js';
import { ReleaseFunds } from './processes/release-funds.js';
import { RenewSubscriptions } from './processes/renew-subscriptions.js';
import { ResumeSubscriptions } from './processes/resume-subscriptions.js';
import { ReviewProducts } from './processes/review-products.js';
import { SettlePayments } from './processes/settle-payments.js';
import { SettleRefunds } from './processes/settle-refunds.js';
import { AdvanceTestClocks } from './processes/timers/advance-test-clocks.js';
import { StartTimers } from './processes/timers/start-timers.js';
import { Timers } from './processes/timers/timers.js';
import { WriteOffInstallments } from './processes/write-off-installments.js';
import { commerceProjections } from './projections/projections.js';
import { RetrieveBalanceHandler } from './queries/balance.queries.js';
import { ListBuyersHandler } from './queries/buyer.queries.js';
import { RetrieveBuyerProductHandler } from './queries/buyer-product.queries.js';
import { RetrieveCartHandler } from './queries/cart.queries.js';
import { ListOrdersHandler } from './queries/order.queries.js';
import { RetrievePersonalDataHandler } from './queries/personal-data.queries.js';
import { ListProductReviewsHandler } from './queries/product-review.queries.js';
import { ListSalesHandler } from './queries/sales.queries.js';
import { ListSubscriptionChangesHandler } from './queries/subscription-change.queries.js';
import { RetrieveTestClockHandler } from './queries/test-clock.queries.js';
import { SimulatedGateway } from './simulated-gateway.js';
import { TestClocks } from './test-clocks.js';

const controllers = [
  BalanceController,
  BuyerProductsController,
  BuyersController,
  CartLinesController,
  CartsController,
  CheckoutController,
  DiscountsController,
  InvoicesController,
  OffersController,
  OrdersController,
  PaymentsController,
  ProductFilesController,
  ProductReviewsController,
  ProductsController,
  RefundsController,
  SubscriptionChangesController,
  SubscriptionsController,
  TestClockController,
  StripeEventsController,
];

const commands = [
  ForgetBuyerHandler,
  ...discountHandlers,
  ...productHandlers,
  ...cartHandlers,
  ...lineHandlers,
  ...offerHandlers,
  ...subscriptionHandlers,
  CheckOutCartHandler,
  SetTestClockHandler,
  PayOutHandler,
  RefundPaymentHandler,
];
const queries = [
  RetrieveBalanceHandler,
  ListBuyersHandler,
  ListOrdersHandler,
  ListProductReviewsHandler,
  ListSalesHandler,
  ListSubscriptionChangesHandler,
  RetrievePersonalDataHandler,
  RetrieveBuyerProductHandler,
  RetrieveCartHandler,
  RetrieveTestClockHandler,
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
  Installments,
  InvoiceNumbering,
  Offers,
  Plans,
  Products,
  Renewals,
  Refunds,
  SellerBalances,
];
const processes = [
  MailOffers,
  RegisterPlans,
  FinishCheckouts,
  FinishRenewals,
  FinishRefunds,
  WriteOffInstallments,
  ReviewProducts,
  Timers,
  StartTimers,
  AdvanceTestClocks,
];
const timerHandlers = [
  ReleaseFunds,
  SettlePayments,
  SettleRefunds,
  RenewSubscriptions,
  ChargeInstallments,
  ResumeSubscriptions,
  EndSubscriptions,
  ExpireOffers,
];

/** Global, because authentication resolves cart tokens by `CartTokens`, and streams read the time by `BusinessClock`. */
@Global()
@Module({
  imports: [CqrsModule, IdentityModule],
  controllers,
  providers: [
    ...commands,
    ...queries,
    ...helpers,
    ...processes,
    ...timerHandlers,
    TestClocks,
    { provide: BusinessClock, useExisting: TestClocks },
    { provide: DueTimers, useExisting: AdvanceTestClocks },
    { provide: CartTokens, useExisting: CartTokenIssuer },
    SimulatedGateway,
    StripeEvents,
    {
      provide: StripeConnection,
      useFactory: ({ stripe }: Config, clock: Clock) => StripeConnection.open(stripe, clock),
      inject: [Config, Clock],
    },
    { provide: PaymentGateway, useFactory: createPaymentGateway, inject: [SimulatedGateway, StripeConnection] },
  ],
  exports: [CartTokens, BusinessClock],
})
export class CommerceModule {
  constructor(
    registry: Registry,
    plans: RegisterPlans,
    checkouts: FinishCheckouts,
    renewalsToFinish: FinishRenewals,
    refundsToFinish: FinishRefunds,
    installmentsToWriteOff: WriteOffInstallments,
    reviews: ReviewProducts,
    offerMails: MailOffers,
    timerRunner: Timers,
    startTimers: StartTimers,
    testClocks: AdvanceTestClocks,
  ) {
    registry.add({
      deciders: commerceDeciders,
      upcasters: commerceUpcasters,
      projections: commerceProjections,
      reactors: [
        plans,
        checkouts,
        renewalsToFinish,
        refundsToFinish,
        installmentsToWriteOff,
        reviews,
        offerMails,
        startTimers,
        testClocks,
      ],
      jobs: [checkouts, renewalsToFinish, refundsToFinish, offerMails, testClocks, ...timerRunner.jobHandlers],
    });
  }
}

function createPaymentGateway(simulated: SimulatedGateway, { config, gateway }: StripeConnection): PaymentGateway {
  return new RoutingGateway(simulated, config && gateway && { mode: config.mode, gateway });
}

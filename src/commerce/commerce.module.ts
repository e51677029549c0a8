import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Config } from '../config/config.js';
import { AreaProcesses, joinParts } from '../engine/area-parts.js';
import { Registry } from '../engine/registry.js';
import { CartTokens } from '../identity/authentication/cart-tokens.js';
import { IdentityModule } from '../identity/identity.module.js';
import { BusinessClock } from '../kernel/business-clock.js';
import { Clock } from '../kernel/clock.js';
import { CartTokenIssuer } from './cart-token-issuer.js';
import { commerceDeciders } from './domain/deciders.js';
import { commerceUpcasters } from './domain/upcasters.js';
import { DueTimers } from './due-timers.js';
import { RoutingGateway } from './gateways/routing-gateway.js';
import { StripeConnection } from './gateways/stripe/stripe-connection.js';
import { StripeEvents } from './gateways/stripe/stripe-events.js';
import { StripeEventsController } from './http/stripe-events.controller.js';
import { buyerParts } from './parts/buyer.parts.js';
import { cartParts } from './parts/cart.parts.js';
import { discountParts } from './parts/discount.parts.js';
import { installmentParts } from './parts/installment.parts.js';
import { invoiceParts } from './parts/invoice.parts.js';
import { offerParts } from './parts/offer.parts.js';
import { orderParts } from './parts/order.parts.js';
import { paymentParts } from './parts/payment.parts.js';
import { productParts } from './parts/product.parts.js';
import { refundParts } from './parts/refund.parts.js';
import { sellerBalanceParts } from './parts/seller-balance.parts.js';
import { subscriptionParts } from './parts/subscription.parts.js';
import { timerParts } from './parts/timer.parts.js';
import { PaymentGateway } from './payment-gateway.js';
import { AdvanceTestClocks } from './processes/timers/advance-test-clocks.js';
import { Timers } from './processes/timers/timers.js';
import { commerceProjections } from './projections/projections.js';
import { SimulatedGateway } from './simulated-gateway.js';
import { TestClocks } from './test-clocks.js';

const { controllers, providers } = joinParts([
  productParts,
  discountParts,
  offerParts,
  cartParts,
  orderParts,
  paymentParts,
  invoiceParts,
  refundParts,
  subscriptionParts,
  installmentParts,
  buyerParts,
  sellerBalanceParts,
  timerParts,
]);

const gateways = [
  SimulatedGateway,
  StripeEvents,
  {
    provide: StripeConnection,
    useFactory: ({ stripe }: Config, clock: Clock) => StripeConnection.open(stripe, clock),
    inject: [Config, Clock],
  },
  { provide: PaymentGateway, useFactory: createPaymentGateway, inject: [SimulatedGateway, StripeConnection] },
];

/** Global, because authentication resolves cart tokens by `CartTokens`, and streams read the time by `BusinessClock`. */
@Global()
@Module({
  imports: [CqrsModule, IdentityModule],
  controllers: [...controllers, StripeEventsController],
  providers: [
    ...providers,
    ...gateways,
    { provide: BusinessClock, useExisting: TestClocks },
    { provide: DueTimers, useExisting: AdvanceTestClocks },
    { provide: CartTokens, useExisting: CartTokenIssuer },
  ],
  exports: [CartTokens, BusinessClock],
})
export class CommerceModule {
  constructor(registry: Registry, { reactors, jobs }: AreaProcesses, { jobHandlers }: Timers) {
    registry.add({
      deciders: commerceDeciders,
      upcasters: commerceUpcasters,
      projections: commerceProjections,
      reactors,
      jobs: [...jobs, ...jobHandlers],
    });
  }
}

function createPaymentGateway(simulated: SimulatedGateway, { config, gateway }: StripeConnection): PaymentGateway {
  return new RoutingGateway(simulated, config && gateway && { mode: config.mode, gateway });
}

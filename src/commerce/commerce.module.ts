import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Config } from '../config/config.js';
import { AreaProcesses, joinFeatures } from '../engine/feature.js';
import { Registry } from '../engine/registry.js';
import { CartTokens } from '../identity/authentication/cart-tokens.js';
import { BusinessClock } from '../kernel/business-clock.js';
import { Clock } from '../kernel/clock.js';
import { GatewayEvents } from '../kernel/gateway-events.js';
import { CartTokenIssuer } from './cart-token-issuer.js';
import { commerceUpcasters } from './domain/upcasters.js';
import { DueTimers } from './due-timers.js';
import { buyerFeature } from './features/buyer.feature.js';
import { cartFeature } from './features/cart.feature.js';
import { discountFeature } from './features/discount.feature.js';
import { disputeFeature } from './features/dispute.feature.js';
import { installmentFeature } from './features/installment.feature.js';
import { invoiceFeature } from './features/invoice.feature.js';
import { offerFeature } from './features/offer.feature.js';
import { orderFeature } from './features/order.feature.js';
import { paymentFeature } from './features/payment.feature.js';
import { productFeature } from './features/product.feature.js';
import { refundFeature } from './features/refund.feature.js';
import { sellerBalanceFeature } from './features/seller-balance.feature.js';
import { subscriptionFeature } from './features/subscription.feature.js';
import { timerFeature } from './features/timer.feature.js';
import { RoutingGateway } from './gateways/routing-gateway.js';
import { SimulatedGateway } from './gateways/simulated-gateway.js';
import { StripeConnection } from './gateways/stripe/stripe-connection.js';
import { StripeEvents } from './gateways/stripe/stripe-events.js';
import { StripeEventsController } from './http/stripe-events.controller.js';
import { PaymentGateway } from './payment-gateway.js';
import { AdvanceTestClocks } from './processes/timers/advance-test-clocks.js';
import { TestClocks } from './test-clocks.js';

export const commerceFeatures = [
  productFeature,
  discountFeature,
  offerFeature,
  cartFeature,
  orderFeature,
  paymentFeature,
  invoiceFeature,
  refundFeature,
  disputeFeature,
  subscriptionFeature,
  installmentFeature,
  buyerFeature,
  sellerBalanceFeature,
  timerFeature,
];

const { controllers, providers, registrations } = joinFeatures(commerceFeatures);

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

/**
 * Global, because authentication resolves cart tokens by `CartTokens`, streams read the time by `BusinessClock`, and the
 * ingress checks the events of gateways by `GatewayEvents`.
 */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [...controllers, StripeEventsController],
  providers: [
    ...providers,
    ...gateways,
    { provide: BusinessClock, useExisting: TestClocks },
    { provide: DueTimers, useExisting: AdvanceTestClocks },
    { provide: CartTokens, useExisting: CartTokenIssuer },
    { provide: GatewayEvents, useExisting: StripeEvents },
  ],
  exports: [CartTokens, BusinessClock, GatewayEvents],
})
export class CommerceModule {
  constructor(registry: Registry, processes: AreaProcesses) {
    registry.add({ ...registrations, ...processes, upcasters: commerceUpcasters });
  }
}

function createPaymentGateway(simulated: SimulatedGateway, { config, gateway }: StripeConnection): PaymentGateway {
  return new RoutingGateway(simulated, config && gateway && { mode: config.mode, gateway });
}

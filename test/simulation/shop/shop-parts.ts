import { CommandBus } from '@nestjs/cqrs';
import { CartTokenIssuer } from '../../../src/commerce/cart-token-issuer.js';
import { CommerceModule } from '../../../src/commerce/commerce.module.js';
import { DueTimers } from '../../../src/commerce/due-timers.js';
import { PaymentGateway } from '../../../src/commerce/payment-gateway.js';
import { AdvanceTestClocks } from '../../../src/commerce/processes/timers/advance-test-clocks.js';
import { TestClocks } from '../../../src/commerce/test-clocks.js';
import { CartTokens } from '../../../src/identity/authentication/cart-tokens.js';
import { BusinessClock } from '../../../src/kernel/business-clock.js';
import { provideProjections, wireArea } from '../area.js';
import type { Container } from '../container.js';

/** A token without random bytes, so that a seed always gives the same run. */
class PlainCartTokens extends CartTokenIssuer {
  override mint(cartId: string): string {
    return `ct_${cartId}`;
  }
}

/** Provides the ports of commerce to a process. Call it before the first object that needs `Streams`. */
export function provideShop(container: Container, gateway: PaymentGateway): void {
  container
    .provide(PaymentGateway, gateway)
    .provide(BusinessClock, container.get(TestClocks))
    // The products are approved by a client.
    .provide(CommandBus, { execute: () => Promise.resolve() } as unknown as CommandBus);
  const tokens = container.get<CartTokenIssuer>(PlainCartTokens);
  container.provide(CartTokenIssuer, tokens).provide(CartTokens, tokens);
}

/** Registers commerce in the process. */
export function wireShop(container: Container): void {
  provideProjections(container, CommerceModule);
  container.provide(DueTimers, container.get(AdvanceTestClocks));
  wireArea(container, CommerceModule);
}

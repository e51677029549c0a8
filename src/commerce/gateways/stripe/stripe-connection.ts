import type { StripeConfig } from '../../../config/stripe-config.js';
import type { Clock } from '../../../kernel/clock.js';
import { createStripeClient } from './stripe-client.js';
import { StripeGateway } from './stripe-gateway.js';

/** The gateway of the configured account, or null. */
export class StripeConnection {
  private constructor(
    readonly config: StripeConfig | null,
    readonly gateway: StripeGateway | null,
  ) {}

  static async open(config: StripeConfig | null, clock: Clock): Promise<StripeConnection> {
    return new StripeConnection(config, config && new StripeGateway(await createStripeClient(config), clock));
  }
}

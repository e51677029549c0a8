import type { StripeConfig } from '../../../config/stripe-config.js';
import type { Clock } from '../../../kernel/clock.js';
import { EventSignatures } from './event-signatures.js';
import { createStripeClient } from './stripe-client.js';
import { StripeGateway } from './stripe-gateway.js';

/** The gateway of the configured account, or null, and the signatures of its events, if it sends any. */
export class StripeConnection {
  private constructor(
    readonly config: StripeConfig | null,
    readonly gateway: StripeGateway | null,
    readonly signatures: EventSignatures | null,
  ) {}

  static async open(config: StripeConfig | null, clock: Clock): Promise<StripeConnection> {
    if (config === null) return new StripeConnection(null, null, null);
    const stripe = await createStripeClient(config);
    const { webhookSecret } = config;
    const signatures = webhookSecret === null ? null : new EventSignatures(stripe.webhooks, webhookSecret, clock);
    return new StripeConnection(config, new StripeGateway(stripe, clock), signatures);
  }
}

import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import type { ReceivedRequest } from './receiver.ts';

/** The envelope of a webhook. */
export interface WebhookEnvelope {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly delivery_id: string;
  readonly attempt: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns the envelope after two independent libraries have verified its signatures. @throws for an invalid signature
 */
export function verifyWebhook({ body, headers }: ReceivedRequest, secret: string): WebhookEnvelope {
  Stripe.webhooks.constructEvent(body, headers['x-service-signature']!, secret);
  new Webhook(secret).verify(body, headers as Record<string, string>);
  return JSON.parse(body) as WebhookEnvelope;
}

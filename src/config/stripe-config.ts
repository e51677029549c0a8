import type { Mode } from '../kernel/event.js';
import type { Values } from './variables.js';

/** The account at Stripe. Its key serves one mode. */
export interface StripeConfig {
  readonly secretKey: string;
  readonly mode: Mode;
  /** Null: the outcomes of pending payments are polled only. */
  readonly webhookSecret: string | null;
  /** Null for Stripe's own address. */
  readonly apiBase: string | null;
  readonly timeoutMs: number;
}

export function toStripeConfig(values: Values): StripeConfig | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = values;
  if (secretKey === null) return null;
  const mode = secretKey.includes('_live_') ? 'live' : 'test';
  return { secretKey, mode, webhookSecret, apiBase, timeoutMs: values.STRIPE_TIMEOUT_MS };
}

/** Returns a warning for each kind of payment that the account at Stripe leaves out. */
export function findPartialPayments({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhooks }: Values): string[] {
  if (key === null) return [];
  return [
    ...(key.includes('_test_')
      ? ['sales in live mode are declined, because the key of Stripe is a test key (STRIPE_SECRET_KEY)']
      : []),
    ...(webhooks === null
      ? ['late outcomes of payments are polled, and disputes and reversals are not seen (STRIPE_WEBHOOK_SECRET)']
      : []),
  ];
}

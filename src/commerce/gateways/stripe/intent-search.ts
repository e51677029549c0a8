import type Stripe from 'stripe';
import { addMs } from '../../../kernel/clock.js';

/** Stripe may have created the intent before or after the time at which its request was recorded. */
const WINDOW_MS = 15 * 60 * 1000;
const PAGE = 100;
const MAX_INTENTS = 20_000;

export interface IntentSearch {
  readonly intent: Stripe.PaymentIntent | null;
  /** Whether every intent of the time was read. */
  readonly complete: boolean;
}

/**
 * Returns the intent of the payment from Stripe's search, which shows an intent up to an hour after its creation. For
 * an account without the search the result is null. The caller then reads the list (`findIntentAround`).
 */
export async function findIntent(stripe: Stripe, paymentId: string): Promise<Stripe.PaymentIntent | null> {
  const query = `metadata['payment_id']:'${paymentId.replace(/[^\w-]/g, '')}'`;
  const { data } = await stripe.paymentIntents.search({ query, limit: 1 }).catch(ignoreRefusal);
  return data[0] ?? null;
}

/** Reads the list of the intents that were created around a time. Unlike the search, the list is always current. */
export async function findIntentAround(
  stripe: Stripe,
  paymentId: string,
  at: string,
  maxIntents = MAX_INTENTS,
): Promise<IntentSearch> {
  const created = { gte: toSeconds(addMs(at, -WINDOW_MS)), lte: toSeconds(addMs(at, WINDOW_MS)) };
  const list = stripe.paymentIntents.list({ created, limit: PAGE, expand: ['data.latest_charge'] });
  let read = 0;
  for await (const intent of list) {
    if (intent.metadata.payment_id === paymentId) return { intent, complete: true };
    if (++read >= maxIntents) return { intent: null, complete: false };
  }
  return { intent: null, complete: true };
}

function ignoreRefusal(error: Error & { readonly type?: string }) {
  if (error.type === 'StripeInvalidRequestError') return { data: [] };
  throw error;
}

function toSeconds(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}

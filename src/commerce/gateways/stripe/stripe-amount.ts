/** Currencies without minor units that Stripe counts in hundredths: https://docs.stripe.com/currencies#special-cases. */
const IN_HUNDREDTHS = new Set(['ISK', 'UGX']);
/** The minor unit of ISO 4217 is a hundredth, and Stripe counts whole units. */
const IN_WHOLE_UNITS = new Set(['MGA']);

/** Converts minor units of ISO 4217 to the units of Stripe. Null: Stripe cannot charge this amount. */
export function toStripeAmount(amountCents: number, currency: string): number | null {
  if (IN_HUNDREDTHS.has(currency)) return amountCents * 100;
  if (!IN_WHOLE_UNITS.has(currency)) return amountCents;
  return amountCents % 100 === 0 ? amountCents / 100 : null;
}

/** Converts units of Stripe to minor units of ISO 4217. */
export function fromStripeAmount(amount: number, currency: string): number {
  if (IN_HUNDREDTHS.has(currency)) return Math.round(amount / 100);
  return IN_WHOLE_UNITS.has(currency) ? amount * 100 : amount;
}

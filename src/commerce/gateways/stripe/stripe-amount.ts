/** Currencies without minor units that Stripe counts in hundredths: https://docs.stripe.com/currencies#special-cases. */
const IN_HUNDREDTHS = new Set(['ISK', 'UGX']);
/** The minor unit of ISO 4217 is a hundredth, and Stripe counts whole units. */
const IN_WHOLE_UNITS = new Set(['MGA']);
/** Stripe takes amounts of three decimals, of which the last one is 0. */
const IN_THOUSANDTHS = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);

/** Returns the minor units of ISO 4217 of which every amount at Stripe is a multiple. */
export function getStripeAmountStep(currency: string): number {
  if (IN_WHOLE_UNITS.has(currency)) return 100;
  return IN_THOUSANDTHS.has(currency) ? 10 : 1;
}

/** Converts minor units of ISO 4217 to the units of Stripe. Null: Stripe cannot charge this amount. */
export function toStripeAmount(amountCents: number, currency: string): number | null {
  if (amountCents % getStripeAmountStep(currency) !== 0) return null;
  if (IN_HUNDREDTHS.has(currency)) return amountCents * 100;
  return IN_WHOLE_UNITS.has(currency) ? amountCents / 100 : amountCents;
}

/** Converts units of Stripe to minor units of ISO 4217. */
export function fromStripeAmount(amount: number, currency: string): number {
  if (IN_HUNDREDTHS.has(currency)) return Math.round(amount / 100);
  return IN_WHOLE_UNITS.has(currency) ? amount * 100 : amount;
}

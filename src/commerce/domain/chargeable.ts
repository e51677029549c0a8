import { Rejection } from '../../kernel/rejection.js';
import type { DiscountedLine } from './cart-discount.js';

/** An amount that will be charged, and the smallest amount of which each charge in its currency is a multiple. */
export interface ChargedAmount {
  readonly amountCents: number;
  readonly amountStep: number;
  /** The field that names the amount; missing when no field does. */
  readonly param?: string;
}

/** @throws Rejection amount_not_supported, when the gateway cannot take one of the amounts */
export function assertChargeable(amounts: readonly ChargedAmount[]): void {
  const wrong = amounts.filter(({ amountCents, amountStep }) => amountCents % amountStep !== 0);
  if (wrong.length === 0) return;
  const errors = wrong.map(({ amountCents, amountStep, param }) => ({
    code: 'amount_not_supported',
    detail: `The payment gateway takes only multiples of ${amountStep} in this currency, and the amount is ${amountCents}.`,
    ...(param !== undefined && { param }),
  }));
  throw Rejection.of('amount_not_supported', errors[0]!.detail, errors);
}

/** The rule of the gateway: the amount in minor units of which each charge in the currency is a multiple. */
export type GetAmountStep = (currency: string) => number;

/** Without a rule, every amount can be charged. @throws Rejection amount_not_supported, when a line cannot be charged */
export function assertLinesChargeable(
  lines: readonly DiscountedLine[],
  getAmountStep: GetAmountStep = () => 1,
  param?: string,
): void {
  const toCharged = ({ amountCents, discountCents = 0, terms: { currency } }: DiscountedLine) => ({
    amountCents: amountCents - discountCents,
    amountStep: getAmountStep(currency),
    ...(param !== undefined && { param }),
  });
  assertChargeable(lines.map(toCharged));
}

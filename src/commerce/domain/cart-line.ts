import { Rejection } from '../../kernel/rejection.js';
import { MAX_CENTS } from './money.js';
import { termsOf, type PlanTerms } from './payment-plan.js';
import type { KnownProduct } from './product.js';
import { planToSell, refuseUnsaleable } from './saleability.js';

/** A line of a cart. It copies the terms of its plan, which never change. */
export interface CartLine {
  readonly lineId: string;
  readonly productId: string;
  readonly planId: string;
  readonly name: string;
  readonly terms: PlanTerms;
  readonly quantity: number;
  readonly unitAmountCents: number;
  readonly amountCents: number;
}

/** Creates the line, or throws the Rejection that says why the product cannot be sold. */
export function lineOf(lineId: string, product: KnownProduct, planId: string | null, quantity: number): CartLine {
  refuseUnsaleable(product);
  const sold = planToSell(product.plans, planId);
  const line = { lineId, productId: product.id, planId: sold.planId, name: product.content.name, terms: termsOf(sold) };
  return { ...line, ...priced(sold.amountCents, quantity) };
}

export function withQuantity(line: CartLine, quantity: number): CartLine {
  return { ...line, ...priced(line.unitAmountCents, quantity) };
}

function priced(unitAmountCents: number, quantity: number): Pick<CartLine, 'quantity' | 'unitAmountCents' | 'amountCents'> {
  const amountCents = unitAmountCents * quantity;
  if (amountCents > MAX_CENTS) throw tooMuch();
  return { quantity, unitAmountCents, amountCents };
}

export function refuseTooMuch(lines: readonly CartLine[]): void {
  if (lines.reduce((sum, { amountCents }) => sum + amountCents, 0) > MAX_CENTS) throw tooMuch();
}

function tooMuch(): Rejection {
  return Rejection.field('quantity', 'amount_too_large', `The amount must not exceed ${MAX_CENTS} minor units.`);
}

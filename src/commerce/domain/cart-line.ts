import { Rejection } from '../../kernel/rejection.js';
import { MAX_CENTS } from './money.js';
import { type Plan, type PlanTerms, toTerms } from './payment-plan.js';
import type { KnownProduct } from './product.js';
import { assertSaleable, requirePlan } from './saleability.js';

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
export function createLine(lineId: string, product: KnownProduct, planId: string | null, quantity: number): CartLine {
  assertSaleable(product);
  const plan = requirePlan(product.plans, planId);
  return createLineForPlan(lineId, product, plan, { unitAmountCents: plan.amountCents, quantity });
}

export function createLineForPlan(
  lineId: string,
  { id: productId, content: { name } }: KnownProduct,
  plan: Plan,
  { unitAmountCents, quantity }: Pick<CartLine, 'unitAmountCents' | 'quantity'>,
): CartLine {
  const line = { lineId, productId, planId: plan.planId, name, terms: toTerms(plan) };
  return { ...line, ...calculateAmounts(unitAmountCents, quantity) };
}

export function withQuantity(line: CartLine, quantity: number): CartLine {
  return { ...line, ...calculateAmounts(line.unitAmountCents, quantity) };
}

function calculateAmounts(
  unitAmountCents: number,
  quantity: number,
): Pick<CartLine, 'quantity' | 'unitAmountCents' | 'amountCents'> {
  const amountCents = unitAmountCents * quantity;
  if (amountCents > MAX_CENTS) throw createAmountRejection();
  return { quantity, unitAmountCents, amountCents };
}

export function assertMaxAmount(lines: readonly CartLine[]): void {
  if (lines.reduce((sum, { amountCents }) => sum + amountCents, 0) > MAX_CENTS) throw createAmountRejection();
}

function createAmountRejection(): Rejection {
  return Rejection.ofField('quantity', 'amount_too_large', `The amount must not exceed ${MAX_CENTS} minor units.`);
}

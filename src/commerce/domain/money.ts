/** The maximum of a line, a total or a price, in minor units. */
export const MAX_CENTS = 99_999_999_999;

export interface Totals {
  readonly subtotalCents: number;
  readonly discountCents: number;
  readonly taxCents: number;
  readonly totalCents: number;
}

/** Rounds halves up. */
export function calculatePercentage(cents: number, percent: number): number {
  return Math.floor((cents * percent) / 100 + 0.5);
}

/** Sums the lines, each of which is rounded separately. */
export function calculateTotals(
  lines: readonly { readonly amountCents: number; readonly discountCents?: number }[],
): Totals {
  const subtotalCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  const discountCents = lines.reduce((sum, line) => sum + (line.discountCents ?? 0), 0);
  return { subtotalCents, discountCents, taxCents: 0, totalCents: subtotalCents - discountCents };
}

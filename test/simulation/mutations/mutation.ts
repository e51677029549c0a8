/** A fault that is inserted into the code to test that a seed finds it. */
export interface Mutation {
  readonly name: string;
  /** The seed that found it in the last search; null if none is known. */
  readonly foundAt: number | null;
  /** Whether only runs with a shop find it. */
  readonly inShop?: boolean;
  /** Inserts the fault; returns a function that removes it. */
  readonly insert: () => () => void;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- what is replaced here is private, and may have any shape */
type Replacement = (self: any, original: (...args: any[]) => any, ...args: any[]) => unknown;

export function replaceMethod(
  of: { readonly prototype: object },
  method: string,
  replacement: Replacement,
): () => void {
  const prototype = of.prototype as Record<string, (...args: any[]) => any>;
  const original = prototype[method];
  if (original === undefined) throw new Error(`there is no ${method} any more`);
  prototype[method] = function (...args) {
    return replacement(this, original.bind(this), ...args);
  };
  return () => void (prototype[method] = original);
}
/* eslint-enable @typescript-eslint/no-explicit-any */

export function combine(...plants: readonly (() => void)[]): () => void {
  return () => plants.forEach((takeOut) => takeOut());
}

/** Each run draws its own; the seed that fast-check prints of a failure can be given back as SEED. */
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** Has found a fault: an event that an operator skipped was in its document all the same. */
const KEPT_SEED = 16232645;

/** A property runs with each of these. */
export const seeds: readonly number[] = [KEPT_SEED, seed];

const FACTOR = Number(process.env.PROPERTY_FACTOR ?? 1);

/** How often a property runs with one seed: `npm run test:faults` runs them longer. */
export function runs(usual: number): number {
  return usual * FACTOR;
}

/** Every `n`-th of these cases, beginning with one that the seed chooses; all of them where properties run longer. */
export function sampled<T>(cases: readonly T[], n: number): readonly T[] {
  return FACTOR > 1 ? cases : cases.filter((_, i) => i % n === seed % n);
}

/** Each run draws its own; the seed that fast-check prints of a failure can be given back as SEED. */
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** Has found a fault: an event that an operator skipped was in its document all the same. */
const KEPT_SEED = 16232645;

/** A property runs with each of these. */
export const seeds: readonly number[] = [KEPT_SEED, seed];

/** How often a property runs with one seed: `npm run test:faults` runs them longer. */
export function runs(usual: number): number {
  return usual * Number(process.env.PROPERTY_FACTOR ?? 1);
}

/** Random for each run; SEED can be set to the seed that fast-check prints for a failure. */
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** This seed once found a fault: the document contained an event that an operator had skipped. */
const REGRESSION_SEED = 16232645;

/** The seeds of every property test. */
export const seeds: readonly number[] = [REGRESSION_SEED, seed];

const FACTOR = Number(process.env.PROPERTY_FACTOR ?? 1);

/** Returns the number of runs of a property with one seed; `npm run test:faults` runs more. */
export function scaleRuns(usual: number): number {
  return usual * FACTOR;
}

/** Returns every `n`-th case, starting at one that the seed chooses; all cases in longer runs. */
export function sampleCases<T>(cases: readonly T[], n: number): readonly T[] {
  return FACTOR > 1 ? cases : cases.filter((_, i) => i % n === seed % n);
}

/** Seeds that once had a finding. They are played again each time. */
const REGRESSION_SEEDS: readonly number[] = [35, 46];
const DEFAULT_COUNT = 3;

/** `LIVES_SEEDS` seeds from 1 on, or the one `LIVES_SEED`; none for a chosen script. */
export const SEEDS: readonly number[] = selectSeeds(process.env);

function selectSeeds({ LIVES_SEED, LIVES_SEEDS, LIVES_SCRIPT }: NodeJS.ProcessEnv): readonly number[] {
  if (LIVES_SCRIPT !== undefined) return [];
  if (LIVES_SEED !== undefined) return [Number(LIVES_SEED)];
  const count = Number(LIVES_SEEDS ?? DEFAULT_COUNT);
  return [...new Set([...Array.from({ length: count }, (_, n) => n + 1), ...REGRESSION_SEEDS])];
}

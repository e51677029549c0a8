import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from './simulate.js';

/** The number of runs when the environment selects none. */
export const DEFAULT_SEEDS = 30;
const TAIL = 80;

/** Seeds that once found a fault, with its description. */
export const REGRESSION_SEEDS = JSON.parse(readFileSync(join(import.meta.dirname, 'seeds.json'), 'utf8')) as readonly {
  readonly seed: number;
  readonly found: string;
}[];

/** Returns `SIM_SEEDS` seeds from `SIM_SEED` on; only `SIM_SEED` if no number is set. */
export function selectSeeds({ SIM_SEED, SIM_SEEDS }: NodeJS.ProcessEnv = process.env): readonly number[] {
  const first = Number(SIM_SEED ?? 1);
  const count = Number(SIM_SEEDS ?? (SIM_SEED === undefined ? DEFAULT_SEEDS : 1));
  return Array.from({ length: count }, (_, i) => first + i);
}

/** The next seeds cover every occasion of a shop soon. Another first seed only makes the test run more seeds. */
const FIRST_SHOP_SEED = 81;
export const DEFAULT_SHOP_SEEDS = 8;

/** Returns the seeds of the runs with a shop: the same ones with `SIM_SHOP`, else a few; none with another selection. */
export function selectShopSeeds(environment: NodeJS.ProcessEnv = process.env): readonly number[] {
  const { SIM_SHOP, SIM_SEED, SIM_SEEDS } = environment;
  if (SIM_SHOP !== undefined) return selectSeeds(environment);
  return SIM_SEED === undefined && SIM_SEEDS === undefined
    ? Array.from({ length: DEFAULT_SHOP_SEEDS }, (_, i) => FIRST_SHOP_SEED + i)
    : [];
}

/** Formats a failed run: the command that repeats it, the findings, and the end of the trace. */
export function formatFailure({ seed, hasShop, findings, story }: RunReport): string {
  return [
    `${hasShop ? 'SIM_SHOP=1 ' : ''}SIM_SEED=${seed} npm test -- test/simulation/simulation.spec.ts`,
    ...findings,
    `The last ${TAIL} of ${story.length} trace entries (milliseconds, text):`,
    ...story.slice(-TAIL),
  ].join('\n');
}

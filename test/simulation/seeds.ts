import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './simulate.js';

const USUAL = 100;
const TAIL = 80;

/** Those that once found a fault, and which. */
export const KEPT_SEEDS = JSON.parse(readFileSync(join(import.meta.dirname, 'seeds.json'), 'utf8')) as readonly {
  readonly seed: number;
  readonly found: string;
}[];

/** `SIM_SEEDS` of them from `SIM_SEED` on; that one alone when it is given alone. */
export function wantedSeeds({ SIM_SEED, SIM_SEEDS }: NodeJS.ProcessEnv = process.env): readonly number[] {
  const first = Number(SIM_SEED ?? 1);
  const count = Number(SIM_SEEDS ?? (SIM_SEED === undefined ? USUAL : 1));
  return Array.from({ length: count }, (_, i) => first + i);
}

/** How to see it again, what was wrong, and what went before. */
export function failureOf({ seed, findings, story }: Report): string {
  return [
    `SIM_SEED=${seed} npm test -- test/simulation/simulation.spec.ts`,
    ...findings,
    `The last ${TAIL} of ${story.length} things that happened (milliseconds, what):`,
    ...story.slice(-TAIL),
  ].join('\n');
}

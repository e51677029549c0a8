import type { Config } from '../../src/config/config.js';
import { readSimulationConfig } from './config.js';
import type { Mutation } from './mutations/mutation.js';
import { MUTATIONS, UNCONFIRMED_MUTATIONS } from './mutations/mutations.js';
import { simulate } from './simulate.js';

const MAX_SEEDS = 5_000;
const MINUTES = 60_000;
/** `SIM_SEARCH`: searches from the first seed and prints the seed found, for the table in the README. */
const SEARCHING = process.env.SIM_SEARCH !== undefined;
/** `SIM_MUTATIONS`: the number of mutations to try, other ones in each run; all of them without it. */
const SELECTED =
  process.env.SIM_MUTATIONS === undefined ? MUTATIONS : pick(MUTATIONS, Number(process.env.SIM_MUTATIONS));

let config: Config;
beforeAll(async () => {
  config = await readSimulationConfig();
});

/** A change of the engine changes the random numbers, so another seed may find the mutation first. */
it.each(SEARCHING ? [...MUTATIONS, ...UNCONFIRMED_MUTATIONS] : SELECTED)(
  'The simulation finds the mutation: $name',
  async (plant) => {
    const findings = await search(plant, SEARCHING ? 1 : (plant.foundAt ?? 1));

    expect(findings).not.toEqual([]);
  },
  10 * MINUTES,
);

/** Returns neighbours, from a random place on. */
function pick<T>(items: readonly T[], count: number): readonly T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)].slice(0, count);
}

async function search({ name, insert, inShop: hasShop = false }: Mutation, first: number): Promise<readonly string[]> {
  const takeOut = insert();
  try {
    for (let tried = 0; tried < MAX_SEEDS; tried++) {
      const seed = ((first - 1 + tried) % MAX_SEEDS) + 1;
      const { findings } = await simulate(seed, config, { hasShop });
      if (findings.length === 0) continue;
      if (SEARCHING) console.log(`${seed}: ${name}\n${findings[0]}`);
      return findings;
    }
    return [];
  } finally {
    takeOut();
  }
}

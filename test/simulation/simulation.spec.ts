import type { Config } from '../../src/config.js';
import { readSimulationConfig } from './config.js';
import { formatFailure, REGRESSION_SEEDS, selectSeeds } from './seeds.js';
import { type RunReport, simulate } from './simulate.js';

const SEEDS = selectSeeds();
/** This number of seeds covers every occasion. */
const REQUIRED_SEEDS = 100;
const MS_PER_SEED = 2_000;

/** Events and trace texts that must occur in some run; otherwise the invariants prove little. */
const OCCASIONS = [
  'AttemptLost',
  'DeliveryChainMissed',
  'DeliveryChainAbandoned',
  'SecretRotated',
  'EndpointDeleted',
  'JarBroken',
  'unreachable',
  'vanished',
  'unanswered',
  'late',
  'doubled',
  'Conflict',
  'ends',
  'pauses',
  'clock jumps',
  'is unavailable for writes',
  'rebuild jars by',
  'switch jars by',
];

let config: Config;
beforeAll(async () => {
  config = await readSimulationConfig();
});

it(
  `The invariants hold in ${SEEDS.length} runs from seed ${SEEDS[0]}`,
  async () => {
    const missing = new Set(OCCASIONS);
    for (const seed of SEEDS) removeOccurred(missing, await runSeed(seed));

    expect(SEEDS.length < REQUIRED_SEEDS ? [] : [...missing]).toEqual([]);
  },
  SEEDS.length * MS_PER_SEED + 10_000,
);

it('The invariants hold in the runs that once violated them', async () => {
  for (const { seed } of REGRESSION_SEEDS) await runSeed(seed);
});

it('A seed always gives the same run', async () => {
  const [first, second] = [await runSeed(5), await runSeed(5)];

  expect(second.digest).toEqual(first.digest);
  expect((await runSeed(6)).digest).not.toEqual(first.digest);
});

async function runSeed(seed: number): Promise<RunReport> {
  const report = await simulate(seed, config);
  if (report.findings.length > 0) throw new Error(formatFailure(report));
  return report;
}

function removeOccurred(missing: Set<string>, { story, types }: RunReport): void {
  for (const occasion of missing)
    if (types.has(occasion) || story.some((line) => line.includes(occasion))) missing.delete(occasion);
}

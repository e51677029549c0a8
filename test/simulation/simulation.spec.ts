import type { Config } from '../../src/config.js';
import { simulatedConfig } from './config.js';
import { failureOf, KEPT_SEEDS, wantedSeeds } from './seeds.js';
import { simulate, type Report } from './simulate.js';

const SEEDS = wantedSeeds();
/** This number of seeds covers every occasion. */
const ENOUGH = 100;
const MS_A_SEED = 2_000;

/** Events and trace texts that must occur in some run; otherwise the invariants prove little. */
const OCCASIONS = [
  'AttemptLost',
  'ChainMissed',
  'ChainAbandoned',
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
  config = await simulatedConfig();
});

it(
  `The invariants hold in ${SEEDS.length} runs from seed ${SEEDS[0]}`,
  async () => {
    const missing = new Set(OCCASIONS);
    for (const seed of SEEDS) occur(missing, await lived(seed));

    expect(SEEDS.length < ENOUGH ? [] : [...missing]).toEqual([]);
  },
  SEEDS.length * MS_A_SEED + 10_000,
);

it('The invariants hold in the runs that once violated them', async () => {
  for (const { seed } of KEPT_SEEDS) await lived(seed);
});

it('A seed always gives the same run', async () => {
  const [first, second] = [await lived(5), await lived(5)];

  expect(second.digest).toEqual(first.digest);
  expect((await lived(6)).digest).not.toEqual(first.digest);
});

async function lived(seed: number): Promise<Report> {
  const report = await simulate(seed, config);
  if (report.findings.length > 0) throw new Error(failureOf(report));
  return report;
}

function occur(missing: Set<string>, { story, types }: Report): void {
  for (const occasion of missing) if (types.has(occasion) || story.some((line) => line.includes(occasion))) missing.delete(occasion);
}

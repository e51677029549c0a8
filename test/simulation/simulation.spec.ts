import type { Config } from '../../src/config.js';
import { simulatedConfig } from './config.js';
import { failureOf, KEPT_SEEDS, wantedSeeds } from './seeds.js';
import { simulate, type Report } from './simulate.js';

const SEEDS = wantedSeeds();
/** So many have occasion for everything. */
const ENOUGH = 100;
const MS_A_SEED = 2_000;

/** What is to happen to somebody, or else the invariants would say little. */
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
  'stands still',
  'clock jumps',
  'is away to writes',
  'rebuild jars by',
  'switch jars by',
];

let config: Config;
beforeAll(async () => {
  config = await simulatedConfig();
});

it(
  `The invariants hold through ${SEEDS.length} lives from seed ${SEEDS[0]} on`,
  async () => {
    const missing = new Set(OCCASIONS);
    for (const seed of SEEDS) occur(missing, await lived(seed));

    expect(SEEDS.length < ENOUGH ? [] : [...missing]).toEqual([]);
  },
  SEEDS.length * MS_A_SEED + 10_000,
);

it('The invariants hold through the lives in which they once did not', async () => {
  for (const { seed } of KEPT_SEEDS) await lived(seed);
});

it('A seed is always the same life', async () => {
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

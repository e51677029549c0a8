import type { Config } from '../../src/config/config.js';
import { readSimulationConfig } from './config.js';
import {
  DEFAULT_SEEDS,
  DEFAULT_SHOP_SEEDS,
  formatFailure,
  REGRESSION_SEEDS,
  selectSeeds,
  selectShopSeeds,
} from './seeds.js';
import { type RunReport, simulate } from './simulate.js';
import type { WorldOptions } from './world.js';

const SHOP_SEEDS = selectShopSeeds();
/** With `SIM_SHOP`, only runs with a shop. */
const SEEDS = process.env.SIM_SHOP === undefined ? selectSeeds() : [];
/** The most runs beyond the selected ones, for occasions that have not occurred yet. */
const MAX_MORE_SEEDS = 100;
const MS_PER_SEED = 2_000;
const MS_PER_SHOP_SEED = 20_000;

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

/** The outcomes that must occur in some run with a shop. */
const SHOP_OCCASIONS = [
  'OrderCompleted',
  'OrderFailed',
  'PaymentUnsettled',
  'RefundSucceeded',
  'RefundFailed',
  'RefundUnsettled',
  'ReservationReleased',
  'SubscriptionRenewed',
  'RenewalFailed',
  'SubscriptionCancelled',
  'SubscriptionResumed',
  'PlanChanged',
  'PriceChanged',
  'ChangeSuperseded',
  'ChangeFailed',
  'TestClockSet',
  'PointsAwarded',
  'PointsReversed',
  'MemberImported',
  'MemberActivated',
  'ChallengeCompleted',
  'ends',
];

let config: Config;
beforeAll(async () => {
  config = await readSimulationConfig();
});

it(
  `The invariants hold in ${SEEDS.length} runs from seed ${SEEDS[0]}`,
  async () => {
    const missing = await runSeeds(SEEDS, SEEDS.length < DEFAULT_SEEDS ? [] : OCCASIONS);

    expect(missing).toEqual([]);
  },
  (SEEDS.length + MAX_MORE_SEEDS) * MS_PER_SEED,
);

it(
  `The invariants hold in ${SHOP_SEEDS.length} runs with a shop`,
  async () => {
    const occasions = SHOP_SEEDS.length < DEFAULT_SHOP_SEEDS ? [] : SHOP_OCCASIONS;
    const missing = await runSeeds(SHOP_SEEDS, occasions, { hasShop: true });

    expect(missing).toEqual([]);
  },
  (SHOP_SEEDS.length + MAX_MORE_SEEDS) * MS_PER_SHOP_SEED,
);

it('The invariants hold in the runs that once violated them', async () => {
  for (const { seed } of REGRESSION_SEEDS) await runSeed(seed);
});

it('A seed always gives the same run', async () => {
  const [first, second] = [await runSeed(5), await runSeed(5)];

  expect(second.digest).toEqual(first.digest);
  expect((await runSeed(6)).digest).not.toEqual(first.digest);
});

it(
  'A seed always gives the same run with a shop',
  async () => {
    const [first, second] = [await runSeed(4, { hasShop: true }), await runSeed(4, { hasShop: true })];

    expect(second.digest).toEqual(first.digest);
  },
  2 * MS_PER_SHOP_SEED,
);

/** Runs the seeds, and then further ones while an occasion is missing. Returns the occasions that never occurred. */
async function runSeeds(
  seeds: readonly number[],
  occasions: readonly string[],
  options?: WorldOptions,
): Promise<readonly string[]> {
  const missing = new Set(occasions);
  for (const seed of seeds) removeOccurred(missing, await runSeed(seed, options));
  for (let more = 1; missing.size > 0 && more <= MAX_MORE_SEEDS; more++)
    removeOccurred(missing, await runSeed(seeds.at(-1)! + more, options));
  return [...missing];
}

async function runSeed(seed: number, options?: WorldOptions): Promise<RunReport> {
  const report = await simulate(seed, config, options);
  if (report.findings.length > 0) throw new Error(formatFailure(report));
  return report;
}

function removeOccurred(missing: Set<string>, { story, types }: RunReport): void {
  for (const occasion of missing)
    if (types.has(occasion) || story.some((line) => line.includes(occasion))) missing.delete(occasion);
}

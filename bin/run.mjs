#!/usr/bin/env node
// Every npm script runs this file. It installs missing packages, builds changed sources and runs the command on the
// project's Node 24.
// It is plain JavaScript without dependencies, so that it runs in a fresh clone on Node 20 or later.
import { benchConsole, browser, screenshots } from './browser.mjs';
import { build } from './build.mjs';
import { check } from './check.mjs';
import { client } from './client.mjs';
import { buildConsole } from './console.mjs';
import { install } from './install.mjs';
import { jest, test } from './jest.mjs';
import { own } from './runtime.mjs';
import { mongoJavaMissing, stores } from './stores.mjs';

/** V8 reserves up to 134 MB for new objects; 16 MB of each half cost no measurable time more. */
const YOUNG_HEAP_LIMIT = '--max-semi-space-size=16';
/** Sizes of the long tests. Variables of the environment override them. */
const LONG = {
  FAULT_KILLS: '200',
  FAULT_ROUNDS: '10',
  FAULT_EVENTS: '100000',
  FAULT_CHANGES: '100',
  PROPERTY_FACTOR: '5',
  SIM_SEEDS: '300',
  LIVES_SEEDS: '50',
  SHOP_SUBSCRIPTIONS: '200',
  OPS_PROCESSES: 'each',
  // Each of these tests runs several processes, and some measure times.
  TEST_WORKERS: '2',
  TEST_LIMIT_MINUTES: '120',
};
/** Specs that `npm test` skips, runs with fewer cases, or runs with several commands per process. */
const LONGER = [
  'test/audit/chain',
  'test/audit/verification',
  'test/commerce/money',
  'test/commerce/year',
  'test/engine/engine.spec',
  'test/engine/builds/run-build',
  'test/engine/builds/switching',
  'test/engine/projections/dead-letter-ranges-converge',
  'test/engine/projections/dead-letters-converge',
  'test/engine/projections/projector',
  'test/engine/read-models/read-model-reader',
  'test/http/validation/costly-bodies',
  'test/http/fuzz',
  'test/http/idempotency/restarts',
  'test/lives',
  'test/operations',
  'test/simulation/mutations',
  'test/simulation/simulation',
  'test/stores/eventstoredb/exactly-once',
  'test/webhooks/ssrf/zero-connections',
  'test/webhooks/streaming/resumed-streams',
];

/** Benchmarks that use the substitute for MongoDB. */
const MONGO_BENCHES = ['mongodb', 'external-checkouts'];

const commands = {
  start,
  ops: (args) => own(['dist/operations/cli/ops.js', ...args]),
  tour: (args) => own(['test/tour/tour.ts', ...args]),
  bench,
  test,
  faults,
  mutants: (args) => own(['test/mutants/mutants.ts', ...args]),
  stores,
  client,
  browser,
  screenshots,
  check,
};

/** `BUILD_CONSOLE=false` leaves the console as it is, because its first build takes a minute. */
async function start(args) {
  if (process.env.BUILD_CONSOLE !== 'false') await buildConsole();
  return own([YOUNG_HEAP_LIMIT, 'dist/main.js', ...args]);
}

/** Runs one benchmark, or all of them. */
async function bench([name = 'all', ...args]) {
  if (name === 'console') return benchConsole();
  const skipped = MONGO_BENCHES.filter((one) => name === 'all' || name === one);
  const missing = skipped.length > 0 ? await mongoJavaMissing() : null;
  if (missing !== null) console.error(`Skipped, because ${missing}: ${skipped.join(', ')}.`);
  return own([`test/bench/${name}.bench.ts`, ...args]);
}

/** Runs all long tests, or those with the given paths. The tests of leader changes need the substitute for MongoDB. */
async function faults(args) {
  const missing = await mongoJavaMissing();
  if (missing !== null) console.error(`Skipped, because ${missing}: leader changes of a cluster.`);
  const all = args.some((word) => !word.startsWith('-')) ? [] : ['test/faults', ...LONGER];
  return jest([...all, ...args], { ...LONG, ...process.env });
}

const [name, ...args] = process.argv.slice(2);
try {
  if (!Object.hasOwn(commands, name ?? ''))
    throw new Error(`usage: node bin/run.mjs ${Object.keys(commands).join('|')} [arguments]`);
  await install();
  if (name !== 'check') await build();
  process.exitCode = await commands[name](args);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

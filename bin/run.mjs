#!/usr/bin/env node
// Behind every npm script: installs what is missing, builds what is stale, then runs the command on the project's own Node 24.
// Plain JavaScript without a dependency, so that a fresh clone can begin here on any Node from 20 on.
import { build } from './build.mjs';
import { check } from './check.mjs';
import { install } from './install.mjs';
import { jest, test } from './jest.mjs';
import { own } from './runtime.mjs';
import { mongoJavaMissing, stores } from './stores.mjs';

/** How long these tests are, unless the environment says otherwise. */
const LONG = {
  FAULT_KILLS: '200',
  FAULT_ROUNDS: '10',
  FAULT_EVENTS: '100000',
  FAULT_CHANGES: '100',
  PROPERTY_FACTOR: '5',
  SIM_SEEDS: '300',
  OPS_PROCESSES: 'each',
};
/** Specs that `npm test` leaves out, or runs with fewer cases, or with processes that run several commands. */
const LONGER = [
  'test/engine/engine.spec',
  'test/engine/builds/making',
  'test/engine/builds/switching',
  'test/engine/projecting/dead-letters-converge',
  'test/engine/projecting/projector',
  'test/engine/reading/views',
  'test/http/costly-bodies',
  'test/http/fuzz',
  'test/http/idempotency-lives',
  'test/operations',
  'test/simulation/planted',
  'test/simulation/simulation',
  'test/stores/eventstoredb/exactly-once',
  'test/webhooks/ssrf/zero-connections',
];

const commands = {
  start: (args) => own(['dist/main.js', ...args]),
  ops: (args) => own(['dist/operations/ops.js', ...args]),
  tour: (args) => own(['test/tour/tour.ts', ...args]),
  bench: ([name = 'all', ...args]) => own([`test/bench/${name}.bench.ts`, ...args]),
  test,
  faults,
  mutants: (args) => own(['test/mutants/mutants.ts', ...args]),
  stores,
  check,
};

/** All long tests, or those whose paths are given. The cluster that changes its leader keeps its documents in what stands in for MongoDB. */
async function faults(args) {
  const missing = await mongoJavaMissing();
  if (missing !== null) console.error(`Skipped, since ${missing}: changes of the leader of a cluster.`);
  const all = args.some((word) => !word.startsWith('-')) ? [] : ['test/faults', ...LONGER];
  return own([...jest, ...all, ...args], { env: { ...LONG, ...process.env } });
}

const [name, ...args] = process.argv.slice(2);
try {
  if (!Object.hasOwn(commands, name ?? '')) throw new Error(`usage: node bin/run.mjs ${Object.keys(commands).join('|')} [arguments]`);
  await install();
  if (name !== 'check') await build();
  process.exitCode = await commands[name](args);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

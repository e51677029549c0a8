import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from './jest.mjs';
import { ended, own, root } from './runtime.mjs';

const MONGO_JAVA = join(root, 'test/support/mongo-java');
const LIBRARIES = join(MONGO_JAVA, 'lib');
const REAL = ['--config', 'test/support/real-stores/jest.config.js'];
/** Each on every store that is there, moving from one to another, and restoring. */
const CONTRACTS = ['test/stores', 'test/operations/store-moving.spec', 'test/operations/store-rewind.spec'];
/** What is tested once more with the service on its real stores. */
const SERVICE = [
  'test/community/http',
  'test/commerce/http',
  'test/webhooks/http',
  'test/webhooks/processes',
  'test/identity',
  'test/http/idempotency.spec',
  'test/support/service.spec',
  'test/operations/real-stores.spec',
];
/** And of these once more with the log on a cluster of three nodes. */
const CLUSTERED = ['test/commerce/http', 'test/webhooks/processes'];
/** Several processes on them, and what lies between. Less at once: they measure time. `STORES_FAULTS`: only these, apart by commas. */
const FAULTS = (process.env.STORES_FAULTS ?? 'two-processes,takeover,attempt-under-way,stores-away')
  .split(',')
  .map((name) => `test/faults/${name}.spec`);

/** The contracts on every store, then the service on the real ones; or the tests that are named, on these. */
export async function stores(args) {
  const missing = await mongoJavaMissing();
  if (missing !== null) console.error(`Skipped, since ${missing}: MongoDB's contracts, and the service on its real stores.`);
  if (args.length > 0) return missing === null ? own([...jest, ...REAL, ...args]) : 1;

  const runs = [
    CONTRACTS,
    ...(missing === null
      ? [
          [...REAL, ...SERVICE],
          [...REAL, '--runInBand', ...FAULTS],
        ]
      : []),
  ];
  let failed = 0;
  for (const run of runs) if ((await own([...jest, ...run])) !== 0) failed = 1;
  if (missing === null && (await own([...jest, ...REAL, ...CLUSTERED], { env: { TEST_LOG: 'cluster' } })) !== 0) failed = 1;
  return failed;
}

/** What stands in for MongoDB, from Maven Central. Null once it can be started, else what is missing. */
export async function mongoJavaMissing() {
  if (!(await runs('java', '-version'))) return 'no Java is installed';
  if (existsSync(LIBRARIES)) return null;
  if (!(await runs('mvn', '-version'))) return 'no Maven is installed';

  console.error('Fetching mongo-java-server …');
  const fetching = ['-q', '-B', '--file', join(MONGO_JAVA, 'pom.xml'), 'dependency:copy-dependencies'];
  if ((await ended('mvn', fetching, { stdio: ['ignore', 2, 2] })).code === 0) return null;
  rmSync(LIBRARIES, { recursive: true, force: true });
  return 'Maven could not fetch mongo-java-server';
}

function runs(program, argument) {
  return ended(program, [argument], { stdio: 'ignore' }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

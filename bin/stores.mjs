import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from './jest.mjs';
import { ended, root } from './runtime.mjs';

const MONGO_JAVA = join(root, 'test/support/mongo-java');
const LIBRARIES = join(MONGO_JAVA, 'lib');
const REAL = ['--config', 'test/support/external-stores/jest.config.js'];
/** Contract tests on every available store, and tests of migration and restore. */
const CONTRACTS = ['test/stores', 'test/operations/migration/migration.spec', 'test/operations/cli/store/rewind.spec'];
/** Specs that run again with the service on external stores. */
const SERVICE = [
  'test/community/http',
  'test/commerce/http',
  'test/webhooks/http',
  'test/webhooks/processes',
  'test/identity',
  'test/http/idempotency/idempotency.spec',
  'test/support/service.spec',
  'test/operations/external-stores.spec',
];
/** Specs that run again with the log on a cluster of three nodes. */
const CLUSTERED = ['test/commerce/http', 'test/webhooks/processes'];
/**
 * Fault tests with several processes. They run one at a time because they measure time. `STORES_FAULTS` selects some,
 * comma-separated.
 */
const FAULTS = (process.env.STORES_FAULTS ?? 'two-processes,takeover,interrupted-attempt,network-faults')
  .split(',')
  .map((name) => `test/faults/${name}.spec`);

/** Runs the contracts on every store and the service on external stores, or the named tests on external stores. */
export async function stores(args) {
  const missing = await mongoJavaMissing();
  if (missing !== null)
    console.error(`Skipped, because ${missing}: the contracts of MongoDB, and the service on external stores.`);
  if (args.length > 0) return missing === null ? jest([...REAL, ...args]) : 1;

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
  for (const run of runs) if ((await jest(run)) !== 0) failed = 1;
  if (missing === null && (await jest([...REAL, ...CLUSTERED], { TEST_LOG: 'cluster' })) !== 0) failed = 1;
  return failed;
}

/**
 * Installs the substitute for MongoDB from Maven Central. Resolves to null when it can start, or else to the missing
 * prerequisite.
 */
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

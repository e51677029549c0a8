import 'reflect-metadata';
import { createApp, type RunningApp } from './app.js';
import { type Config, ConfigError, readConfig } from './config/config.js';
import { CheckpointsAheadOfLog } from './engine/consumers/checkpoints-ahead.js';
import { KeyMismatch } from './engine/encryption/key-check.js';
import { Bootstrap, type FirstKeys } from './identity/bootstrap.js';
import { Clock } from './kernel/clock.js';
import { armCrashPoint } from './kernel/crash-points.js';
import { StoreUnavailable } from './kernel/event-store.js';
import { describeOperatorError, isTemporary } from './startup/operator-errors.js';
import { surviveStoreClients } from './startup/unhandled.js';
import { compactHeapAtRest, limitHeapGrowth } from './startup/v8-heap.js';
import { retryUntilReachable } from './startup/wait-for-stores.js';
import { InvalidStoreUrl } from './stores/invalid-store-url.js';
import { MigrationError } from './stores/migration-marker.js';
import { NewerStore } from './stores/newer-store.js';

const EXIT_CONFIG = 78;
const EXIT_UNAVAILABLE = 69;
const EXIT_FAILED = 70;
const EXIT_FORCED = 1;
const SHUTDOWN_MS = 10_000;
/** Errors of stores on which the service cannot run. Their messages say why. */
const UNUSABLE_STORE_ERRORS = [KeyMismatch, InvalidStoreUrl, MigrationError, CheckpointsAheadOfLog, NewerStore];
/** npm and the terminal both forward Ctrl-C: a repeated signal within 500 ms is ignored. */
const REPEATED_SIGNAL_MS = 500;
const SIMULATED_PAYMENTS =
  'warning: the payments of live mode are SIMULATED, and no money moves. Set STRIPE_SECRET_KEY to a live key.';
const NO_BUSINESS = `The store has no business yet. Create one and a key for it:
  npm run ops -- businesses create --name NAME --owner-sub SUB
  npm run ops -- keys create --business BUSINESS --mode test --access full`;

limitHeapGrowth();
surviveStoreClients((message) => console.error(message));
const config = loadConfig();
if (config.stripe === null) console.error(SIMULATED_PAYMENTS);
if (config.crashAt !== null) armCrashPoint(config.crashAt);
const starting = createApp(config).catch(exitWithError);
shutDownOnSignals(starting);
const running = await starting;
void running.stores.failed.then((error) => {
  console.error(`The store can no longer be used: ${describeOperatorError(error) ?? error.message}`);
  process.exit(error instanceof NewerStore ? EXIT_CONFIG : EXIT_FAILED);
});
// On external stores logs are collected elsewhere, so no key is printed; an operator creates the first one.
if ('file' in config.stores)
  await retryUntilReachable(running.app.get(Clock), () => bootstrap(running)).catch(exitWithError);
console.log(`ready ${running.url}`);
compactHeapAtRest();

function loadConfig(): Config {
  try {
    const { config, warnings } = readConfig(process.env);
    for (const warning of warnings) console.error(`warning: ${warning}`);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) return exitWithError(error);
    for (const mistake of error.mistakes) console.error(mistake);
    process.exit(EXIT_CONFIG);
  }
}

/** Prints one line for an error that an operator can correct, and throws any other error. */
function exitWithError(error: unknown): never {
  if (error instanceof StoreUnavailable) {
    console.error(`The stores could not be reached: ${error.message}`);
    process.exit(EXIT_UNAVAILABLE);
  }
  const isUnusable = UNUSABLE_STORE_ERRORS.some((type) => error instanceof type);
  const described = isUnusable ? (error as Error).message : describeOperatorError(error);
  if (described === null) throw error;
  console.error(described);
  process.exit(isTemporary(error) ? EXIT_UNAVAILABLE : EXIT_CONFIG);
}

/**
 * Creates the first business of an empty store and prints its keys once. An identity provider assigns the subject of
 * the owner, so with an identity provider the operator creates the business.
 */
async function bootstrap({ app, url, opsUrl }: RunningApp): Promise<void> {
  const firstBusiness = app.get(Bootstrap, { strict: false });
  if ('development' in config.session.keys)
    return firstBusiness.run((keys) => console.log(formatWelcome(keys, url, opsUrl)));
  if (await firstBusiness.isEmpty()) console.log(NO_BUSINESS);
}

function formatWelcome({ live, test }: FirstKeys, url: string, opsUrl: string): string {
  return `The store was empty. It now has a first business with these secret keys (shown only once):
  test  ${test}
  live  ${live}
Try it:
  curl -s ${url}/v1/auth/me -H 'Authorization: Bearer ${test}'
Next:
  ${url}/docs has the reference, ${url}/docs/guides the guides
  ${url}/console is the console: sign in with a key, or by npm run ops -- console open
  ${opsUrl}/health/ready and ${opsUrl}/metrics are for operators
  npm run ops -- webhooks listen --forward-to localhost:4242 sends webhooks to a receiver on this machine`;
}

/**
 * Shuts down at the first signal, immediately while the service is still starting. Exits at a second signal, or after
 * 10 s.
 */
function shutDownOnSignals(starting: Promise<RunningApp>): void {
  let close: RunningApp['close'] = () => Promise.resolve();
  void starting.then((running) => (close = running.close));
  let shuttingDownSince: number | null = null;
  const shutDown = () => {
    if (shuttingDownSince !== null) {
      if (performance.now() - shuttingDownSince >= REPEATED_SIGNAL_MS) process.exit(EXIT_FORCED);
      return;
    }
    shuttingDownSince = performance.now();
    setTimeout(() => process.exit(EXIT_FORCED), SHUTDOWN_MS).unref();
    void close().then(() => process.exit(0));
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
  // Sent when the terminal of the service closes.
  process.on('SIGHUP', shutDown);
}

import 'reflect-metadata';
import { createApp, type RunningApp } from './app.js';
import { ConfigError, readConfig, type Config } from './config.js';
import { AheadOfLog } from './engine/following/ahead.js';
import { OtherKeys } from './engine/sealing/key-check.js';
import { FirstBusiness, type FirstKeys } from './identity/first-business.js';
import { Clock } from './kernel/clock.js';
import { arm } from './kernel/crash-points.js';
import { StoreUnavailable } from './kernel/event-store.js';
import { onceReachable } from './reachable.js';
import { MovingIn } from './stores/moving-in.js';
import { NewerStore } from './stores/newer-store.js';
import { WrongAddress } from './stores/wrong-address.js';
import { surviveStoreClients } from './unhandled.js';

const EXIT_CONFIG = 78;
const EXIT_UNAVAILABLE = 69;
const EXIT_FAILED = 70;
const EXIT_FORCED = 1;
const SHUTDOWN_MS = 10_000;
/** Error codes of a port that is in use and of a data directory that cannot be used. An operator can correct both. */
const MENDABLE = new Set(['EADDRINUSE', 'EACCES', 'ENOTDIR', 'EEXIST', 'EROFS']);
/** Errors of stores on which the service cannot run. Their messages say why. */
const REFUSALS = [OtherKeys, WrongAddress, MovingIn, AheadOfLog, NewerStore];
/** npm and the terminal both forward Ctrl-C: a repeated signal within 500 ms is ignored. */
const SAME_SIGNAL_MS = 500;
const NO_BUSINESS = `The store has no business yet. Create one and a key for it:
  npm run ops -- businesses create --name NAME --owner-sub SUB
  npm run ops -- keys create --business BUSINESS --mode test --access full`;

surviveStoreClients((message) => console.error(message));
const config = configured();
if (config.crashAt !== null) arm(config.crashAt);
const starting = createApp(config).catch(failed);
endOnSignals(starting);
const running = await starting;
void running.stores.failed.then((error) => {
  console.error(`The store can no longer be used: ${error.message}`);
  process.exit(error instanceof NewerStore ? EXIT_CONFIG : EXIT_FAILED);
});
// On external stores logs are collected elsewhere, so no key is printed; an operator creates the first one.
if ('file' in config.stores) await onceReachable(running.app.get(Clock), () => introduce(running)).catch(failed);
console.log(`ready ${running.url}`);

function configured(): Config {
  try {
    const { config, warnings } = readConfig(process.env);
    for (const warning of warnings) console.error(`warning: ${warning}`);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) return failed(error);
    for (const mistake of error.mistakes) console.error(mistake);
    process.exit(EXIT_CONFIG);
  }
}

/** Prints one line for an error that an operator can correct, and throws any other error. */
function failed(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof StoreUnavailable) {
    console.error(`The stores could not be reached: ${message}`);
    process.exit(EXIT_UNAVAILABLE);
  }
  if (!REFUSALS.some((refusal) => error instanceof refusal) && !MENDABLE.has(code ?? '')) throw error;
  console.error(code === 'EADDRINUSE' ? `${message}: set PORT or OPS_PORT to a free one.` : message);
  process.exit(EXIT_CONFIG);
}

/**
 * Creates the first business of an empty store and prints its keys once. An identity provider assigns the subject of
 * the owner, so with an identity provider the operator creates the business.
 */
async function introduce({ app, url, opsUrl }: RunningApp): Promise<void> {
  const first = app.get(FirstBusiness, { strict: false });
  if ('development' in config.session.keys) return first.introduce((keys) => console.log(welcome(keys, url, opsUrl)));
  if (await first.isMissing()) console.log(NO_BUSINESS);
}

function welcome({ live, test }: FirstKeys, url: string, opsUrl: string): string {
  return `The store was empty. It now has a first business with these secret keys (shown only once):
  test  ${test}
  live  ${live}
Try it:
  curl -s ${url}/v1/auth/me -H 'Authorization: Bearer ${live}'
Next:
  ${url}/openapi.json describes the API
  ${opsUrl}/health/ready and ${opsUrl}/metrics are for operators
  npm run ops -- webhooks listen --forward-to localhost:4242 sends webhooks to a receiver on this machine`;
}

/**
 * Shuts down at the first signal, immediately while the service is still starting. Exits at a second signal, or after
 * 10 s.
 */
function endOnSignals(starting: Promise<RunningApp>): void {
  let close: RunningApp['close'] = () => Promise.resolve();
  void starting.then((running) => (close = running.close));
  let endingSince: number | null = null;
  const end = () => {
    if (endingSince !== null) {
      if (performance.now() - endingSince >= SAME_SIGNAL_MS) process.exit(EXIT_FORCED);
      return;
    }
    endingSince = performance.now();
    setTimeout(() => process.exit(EXIT_FORCED), SHUTDOWN_MS).unref();
    void close().then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

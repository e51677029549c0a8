import { statSync } from 'node:fs';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { checkConfig, type Config, findEmbeddedFile, readConfig } from '../../config/config.js';
import { armCrashPoint } from '../../kernel/crash-points.js';
import { describeOperatorError } from '../../startup/operator-errors.js';
import type { Stores } from '../../stores/stores.js';
import { formatJsonLine, replaceControlCharacters } from './format.js';

const EXIT_FAILED = 1;
const WITHOUT_STORE =
  'set DATA_DIR to the folder of the service; the service, "businesses create", "seed", "store restore" and "store import" create a store';

/** A command cannot be carried out. The command line prints the message in one line and exits with 1. */
export class CliError extends Error {}

/** Whether the command may create the store. */
export interface StoreUse {
  readonly createsStore?: boolean;
}

/** Without `createsStore` nothing is created where there is no store. @throws ConfigError, CliError */
export function loadConfig({ createsStore = false }: StoreUse = {}): Config {
  if (!createsStore) requireStore();
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  if (config.crashAt !== null) armCrashPoint(config.crashAt);
  return config;
}

/** A mistyped DATA_DIR, or a file that lost its content, must not look like an empty store. */
function requireStore(): void {
  checkConfig(process.env);
  const file = findEmbeddedFile(process.env);
  if (file === null) return;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new CliError(`there is no store at ${file}: ${WITHOUT_STORE}`);
  if (stats.isFile() && stats.size === 0) throw new CliError(`${file} is empty: restore a backup, or ${WITHOUT_STORE}`);
}

export interface OutputOptions {
  readonly json?: boolean | undefined;
}

/** Opens the stores only, runs the work and closes the stores. The service may run. */
export async function withStores<T>(
  work: (ports: Stores['ports'], config: Config) => Promise<T>,
  use: StoreUse = {},
): Promise<T> {
  const config = loadConfig(use);
  const [{ Stores }, { SystemClock, SystemRandom }] = await Promise.all([
    import('../../stores/stores.js'),
    import('../../kernel/clock.js'),
  ]);
  const stores = await Stores.open(config, new SystemClock(), new SystemRandom());
  void stores.failed.then(exitOnStoreFailure);
  try {
    await stores.ports.ensureReady();
    return await work(stores.ports, config);
  } finally {
    await stores.close();
  }
}

/** @param extraModules imported beside the service's own modules */
export async function withService<T>(
  work: (service: INestApplicationContext) => Promise<T>,
  config = loadConfig(),
  extraModules: readonly Type[] = [],
): Promise<T> {
  // Loads Nest only for a command that needs it, so that help and wrong usage are fast.
  const [{ NestFactory }, { CliModule }, { Stores }, { reachStores }] = await Promise.all([
    import('@nestjs/core'),
    import('./cli.module.js'),
    import('../../stores/stores.js'),
    import('../../startup/wait-for-stores.js'),
  ]);
  const service = await NestFactory.createApplicationContext(CliModule.forRoot(config, extraModules), {
    logger: false,
    abortOnError: false,
  });
  void service.get(Stores, { strict: false }).failed.then(exitOnStoreFailure);
  try {
    await reachStores(service);
    return await work(service);
  } finally {
    await service.close();
    await service.get(Stores, { strict: false }).close();
  }
}

/** Exits after a failed store. The finished part of the work is kept, and the same command continues from there. */
function exitOnStoreFailure(error: Error): never {
  console.error(`The store can no longer be used: ${describeOperatorError(error) ?? error.message}`);
  process.exit(EXIT_FAILED);
}

/** Prints the result. With `--json` standard output contains only this document. */
export function print(document: object, { json }: OutputOptions, lines: readonly string[]): void {
  if (json) console.log(formatJsonLine(document));
  // Lines show stored texts, which may hold anything; a tool that builds lines with `formatTable` has cleaned them.
  else for (const line of lines) console.log(replaceControlCharacters(line));
}

/** Prints a list as `print` does. Prints `whenEmpty` to standard error when the list is empty. */
export function printList(document: object, options: OutputOptions, lines: readonly string[], whenEmpty: string): void {
  print(document, options, lines);
  if (!options.json && lines.length === 0) printToStderr(whenEmpty);
}

/** Prints a note to standard error, so that it is never part of the result. */
export function printToStderr(line: string): void {
  console.error(replaceControlCharacters(line));
}

import type { INestApplicationContext } from '@nestjs/common';
import { readConfig, type Config } from '../config.js';
import { arm } from '../kernel/crash-points.js';
import type { Stores } from '../stores/stores.js';
import type { Desk } from './desk.js';

const EXIT_FAILED = 1;

/** Something was asked for that cannot be done; said in one line, exit code 1. */
export class CannotDo extends Error {}

/** @throws ConfigError */
export function configured(): Config {
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  if (config.crashAt !== null) arm(config.crashAt);
  return config;
}

export interface Printing {
  readonly json?: boolean | undefined;
}

/** Opens the stores alone, with the service running beside it or not, and closes them behind the work. */
export async function atStores<T>(work: (ports: Stores['ports'], config: Config) => Promise<T>): Promise<T> {
  const config = configured();
  const [{ Stores }, { SystemClock, SystemRandom }] = await Promise.all([import('../stores/stores.js'), import('../kernel/clock.js')]);
  const stores = await Stores.open(config, new SystemClock(), new SystemRandom());
  void stores.failed.then(giveUp);
  try {
    await stores.ports.reach();
    return await work(stores.ports, config);
  } finally {
    await stores.close();
  }
}

/** The same with the whole service at hand, its engine at rest. */
export function atDesk<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
  return withService(async (service) => work(new (await import('./desk.js')).Desk(service)));
}

export async function withService<T>(work: (service: INestApplicationContext) => Promise<T>, config = configured()): Promise<T> {
  // Nest is loaded where a command needs it: help and wrong usage answer at once.
  const [{ NestFactory }, { ToolboxModule }, { Stores }, { reachStores }] = await Promise.all([
    import('@nestjs/core'),
    import('./toolbox.module.js'),
    import('../stores/stores.js'),
    import('../reachable.js'),
  ]);
  const service = await NestFactory.createApplicationContext(ToolboxModule.with(config), { logger: false, abortOnError: false });
  void service.get(Stores, { strict: false }).failed.then(giveUp);
  try {
    await reachStores(service);
    return await work(service);
  } finally {
    await service.close();
    await service.get(Stores, { strict: false }).close();
  }
}

/** Nothing more may be written: what is done so far is kept, and the same command goes on from there. */
function giveUp(error: Error): never {
  console.error(`The store cannot be used any more: ${error.message}`);
  process.exit(EXIT_FAILED);
}

/** With `--json` standard output holds this one document and nothing else. */
export function print(document: object, { json }: Printing, lines: readonly string[]): void {
  if (json) console.log(JSON.stringify(document));
  else for (const line of lines) console.log(line);
}

/** For whoever looks on: never part of what was asked for. */
export function remark(line: string): void {
  console.error(line);
}

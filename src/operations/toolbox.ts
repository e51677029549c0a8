import { readConfig, type Config } from '../config.js';
import type { Desk } from './desk.js';

/** Something was asked for that cannot be done; said in one line, exit code 1. */
export class CannotDo extends Error {}

/** @throws ConfigError */
export function configured(): Config {
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  return config;
}

/** Opens the stores, with the service running beside it or not, and closes them behind the work. */
export async function atDesk<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
  const config = configured();
  // Nest is loaded where a command needs it: help and wrong usage answer at once.
  const [{ NestFactory }, { ToolboxModule }, { Stores }, { Desk }] = await Promise.all([
    import('@nestjs/core'),
    import('./toolbox.module.js'),
    import('../stores/stores.js'),
    import('./desk.js'),
  ]);
  const toolbox = await NestFactory.createApplicationContext(ToolboxModule.with(config), { logger: false, abortOnError: false });
  try {
    return await work(new Desk(toolbox));
  } finally {
    await toolbox.close();
    await toolbox.get(Stores, { strict: false }).close();
  }
}

/** With `--json` standard output holds this one document and nothing else. */
export function print(document: object, { json }: { readonly json?: boolean }, lines: readonly string[]): void {
  console.log(json ? JSON.stringify(document) : lines.join('\n'));
}

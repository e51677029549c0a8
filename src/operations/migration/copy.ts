import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { BuildOperator } from '../../engine/builds/build-operator.js';
import { KEY_CHECK_ID } from '../../engine/encryption/key-check.js';
import { Keys } from '../../engine/encryption/keys.js';
import { openStores } from '../../stores/open.js';
import type { Ports } from '../../stores/ports.js';
import type { StoreLocation } from '../../stores/store-url.js';
import { CliError, type OutputOptions } from '../cli/cli.js';
import { type OnForeignEvents, readLog } from '../cli/events/event-log.js';
import { runInterruptible } from '../cli/interruption.js';
import { showProgress } from '../cli/progress-bar.js';
import { rebuildEach } from '../cli/projections/rebuild.js';
import { requireNoDifference } from '../cli/projections/verify.js';
import { listCurrentNames, withBuilds } from '../cli/projections/with-builds.js';
import { compareLogs } from './compare-logs.js';
import { requireUnchanged, withExclusiveAccess } from './exclusive-access.js';
import { type MigrationSource, readStore, toSource } from './export-reader.js';
import { describeOmissions, initializeKeys, migrate, observe } from './migration.js';

export interface CopyOptions extends OutputOptions {
  readonly target: StoreLocation;
  readonly verify: boolean;
}

/** Copies a store into an empty one, or continues an interrupted copy. With `verify`, compares the two logs. */
export async function copyToStore(service: INestApplicationContext, options: CopyOptions) {
  const config = service.get(Config, { strict: false });
  if (JSON.stringify(options.target) === JSON.stringify(config.stores))
    throw new CliError('the target is the store itself');
  const source = toSource(service);
  const target = await openStores(options.target);
  try {
    await target.ensureReady();
    await initializeKeys(Keys.from(config), await source.ports.vault.get(KEY_CHECK_ID), target);
    let foreign = 0;
    const moved = await copyItems(source, target, options, (others) => (foreign += others));
    const events = options.verify ? await requireSameLogs(source.ports, target, options) : null;
    return { moved, events, left_behind: await describeOmissions(source.ports.models, foreign) };
  } finally {
    await target.close();
  }
}

/** Imports what an export would write. The last event of the log identifies the copy. */
async function copyItems(
  source: MigrationSource,
  target: Ports,
  printing: OutputOptions,
  onForeignEvents: OnForeignEvents,
): Promise<boolean> {
  const { events } = source.ports;
  const head = await events.readHead();
  const [last] = (await events.readAll({ backwards: true, limit: 1 })).events;
  const items = requireUnchanged(readStore(source, onForeignEvents), source.ports, head);
  const input = { name: `copy up to ${last?.id ?? 'nothing'}`, items };
  return runInterruptible((signal) =>
    withExclusiveAccess(source, signal, (held) =>
      showProgress('copy', head, printing, (report) => migrate(input, target, report, held)),
    ),
  );
}

/** Returns the number of events in both logs. @throws CliError when the logs differ */
async function requireSameLogs(one: Ports, other: Ports, printing: OutputOptions): Promise<number> {
  const head = await one.events.readHead();
  const { events, difference } = await runInterruptible((signal) =>
    showProgress('compare', head, printing, (report) =>
      compareLogs(observe(readLog(one.events), signal, report), other.events),
    ),
  );
  if (difference !== null) throw new CliError(`the logs differ: ${difference} is not the same in both`);
  return events;
}

/**
 * Builds the read models of another store from its log, and compares each document with the log.
 * @throws CliError when a document differs
 */
export function verifyCopy(target: StoreLocation, config: Config, printing: OutputOptions) {
  const targetConfig = Object.create(config, { stores: { value: target } }) as Config;
  return withBuilds([], (builds) => runInterruptible((signal) => verifyEach(builds, printing, signal)), targetConfig);
}

async function verifyEach(builds: BuildOperator, printing: OutputOptions, signal: AbortSignal) {
  const verified: { readonly build: string; readonly documents: number }[] = [];
  for (const name of await listCurrentNames(builds)) {
    const { active } = await builds.getStatus(name);
    if (active === null) await rebuildEach(builds, [name], { ...printing, switch: true }, signal);
    const found = await builds.verify(name, { signal });
    requireNoDifference(found);
    verified.push({ build: found.build, documents: found.documents });
  }
  return verified;
}

import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../config.js';
import { KEY_CHECK_ID } from '../../engine/encryption/key-check.js';
import { Keys } from '../../engine/encryption/keys.js';
import { openStores } from '../../stores/open.js';
import type { Ports } from '../../stores/ports.js';
import type { StoreLocation } from '../../stores/store-url.js';
import { CliError, type OutputOptions } from '../cli/cli.js';
import { type OnForeignEvents, readLog } from '../cli/events/event-log.js';
import { runInterruptible } from '../cli/interruption.js';
import { showProgress } from '../cli/progress-bar.js';
import { compareLogs } from './compare-logs.js';
import { requireUnchanged, withExclusiveAccess } from './exclusive-access.js';
import { readStoreRecords } from './export-reader.js';
import {
  describeOmissions,
  initializeKeys,
  migrate,
  type MigrationInput,
  type MigrationSource,
  reportPositions,
  toSource,
} from './migration.js';

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
    const isNew = await runCopy(source, target, options, (others) => (foreign += others));
    const events = options.verify ? await requireSameLogs(source.ports, target, options) : null;
    return { moved: isNew, events, left_behind: await describeOmissions(source.ports.models, foreign) };
  } finally {
    await target.close();
  }
}

async function runCopy(
  { ports, reactors }: MigrationSource,
  target: Ports,
  printing: OutputOptions,
  onForeignEvents: OnForeignEvents,
): Promise<boolean> {
  const head = await ports.events.readHead();
  const {
    events: [last],
  } = await ports.events.readAll({ backwards: true, limit: 1 });
  const name = `copy up to ${last?.id ?? 'nothing'}`;
  return runInterruptible((signal) =>
    withExclusiveAccess(ports, reactors, signal, (exclusiveSignal) =>
      showProgress('copy', head, printing, (report) => {
        const records = requireUnchanged(readStoreRecords(ports, reactors), ports, head);
        const input: MigrationInput = { name, events: readLog(ports.events, { onForeignEvents }), records };
        return migrate(input, target, reportPositions(report), exclusiveSignal);
      }),
    ),
  );
}

/** Returns the number of events in both logs. @throws CliError when the logs differ */
async function requireSameLogs(one: Ports, other: Ports, printing: OutputOptions): Promise<number> {
  const head = await one.events.readHead();
  const { events, difference } = await showProgress('compare', head, printing, (report) =>
    compareLogs(one.events, other.events, reportPositions(report)),
  );
  if (difference !== null) throw new CliError(`the logs differ: ${difference} is not the same in both`);
  return events;
}

import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { createSnapshotFolder } from '../../stores/embedded/snapshot-folder.js';
import { openStores } from '../../stores/open.js';
import type { Ports } from '../../stores/ports.js';
import { CliError, type OutputOptions } from '../cli/cli.js';
import { runInterruptible } from '../cli/interruption.js';
import { showProgress } from '../cli/progress-bar.js';
import { writeArchive } from './archive.js';
import { requireUnchanged, withExclusiveAccess } from './exclusive-access.js';
import { type MigrationSource, readStore, toSource } from './export-reader.js';
import { describeOmissions, observe } from './migration.js';

interface ExportSource extends MigrationSource {
  /** No process writes to the source. */
  readonly isSnapshot: boolean;
}

/**
 * Writes a store into a file. An embedded store is read from a snapshot, so the service may run. On external stores no
 * service may run, because the log and the other records cannot be read at one point in time.
 * @throws CliError when the file exists, or a service runs on external stores
 */
export async function exportToFile(file: string, service: INestApplicationContext, printing: OutputOptions) {
  if (existsSync(file)) throw new CliError(`${file} exists already`);
  const source = toSource(service);
  const { stores } = service.get(Config, { strict: false });
  const write = (from: ExportSource, signal: AbortSignal) => writeStore(file, from, signal, printing);
  return 'file' in stores
    ? withSnapshot(stores.file, (ports) =>
        runInterruptible((signal) => write({ ...source, ports, isSnapshot: true }, signal)),
      )
    : runInterruptible((signal) =>
        withExclusiveAccess(source, signal, (still) => write({ ...source, isSnapshot: false }, still)),
      );
}

/** Runs the work on a snapshot next to the store file, and deletes the snapshot afterwards. */
async function withSnapshot<T>(store: string, work: (ports: Ports) => Promise<T>): Promise<T> {
  // SQLite is loaded only with an embedded store.
  const { backUp } = await import('../../stores/embedded/backup.js');
  const folder = createSnapshotFolder(store);
  try {
    const file = join(folder, basename(store));
    backUp(store, file);
    const ports = await openStores({ file });
    return await work(ports).finally(() => ports.close());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeStore(file: string, source: ExportSource, signal: AbortSignal, printing: OutputOptions) {
  const { ports, isSnapshot } = source;
  const head = await ports.events.readHead();
  let foreign = 0;
  const items = readStore(source, (others) => (foreign += others));
  const content = await showProgress('export', head, printing, (report) =>
    writeArchive(file, observe(isSnapshot ? items : requireUnchanged(items, ports, head), signal, report)),
  );
  return { file, ...content, left_behind: await describeOmissions(ports.models, foreign) };
}

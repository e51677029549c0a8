import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../config.js';
import { toIso } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import { CliError, type OutputOptions } from '../cli/cli.js';
import { type OnForeignEvents, readLog } from '../cli/events/event-log.js';
import { runInterruptible } from '../cli/interruption.js';
import { type ReportProgress, showProgress } from '../cli/progress-bar.js';
import { ArchiveWriter } from './archive.js';
import { requireUnchanged, withExclusiveAccess } from './exclusive-access.js';
import { readStoreRecords } from './export-reader.js';
import { describeOmissions, type MigrationSource, reportPositions, stopOnAbort, toSource } from './migration.js';

/**
 * Writes a store into a file. An embedded store is read from a snapshot, so the service may run. On external stores no
 * service may run, because the log and the other records cannot be read at one point in time.
 * @throws CliError when the file exists, or a service runs on external stores
 */
export async function exportToFile(file: string, service: INestApplicationContext, printing: OutputOptions) {
  if (existsSync(file)) throw new CliError(`${file} exists already`);
  const source = toSource(service);
  const { stores } = service.get(Config, { strict: false });
  return 'file' in stores
    ? withSnapshot(stores.file, source, (snapshot) =>
        runInterruptible((signal) => writeArchive(file, snapshot, { signal: signal, isSnapshot: true }, printing)),
      )
    : runInterruptible((signal) =>
        withExclusiveAccess(source.ports, source.reactors, signal, (still) =>
          writeArchive(file, source, { signal: still, isSnapshot: false }, printing),
        ),
      );
}

/** Runs the work on a snapshot next to the store file, and deletes the snapshot afterwards. */
async function withSnapshot<T>(
  store: string,
  { reactors }: MigrationSource,
  work: (snapshot: MigrationSource) => Promise<T>,
): Promise<T> {
  const [{ backUp }, { createSnapshotFolder: makeSnapshotFolder }, { openStores }] = await Promise.all([
    import('../../stores/embedded/backup.js'),
    import('../../stores/embedded/snapshot-folder.js'),
    import('../../stores/open.js'),
  ]);
  const folder = makeSnapshotFolder(store);
  try {
    const file = join(folder, basename(store));
    backUp(store, file);
    const ports = await openStores({ file });
    try {
      return await work({ ports, reactors });
    } finally {
      await ports.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeArchive(file: string, source: MigrationSource, mode: ExportMode, printing: OutputOptions) {
  const head = await source.ports.events.readHead();
  let foreign = 0;
  const onForeignEvents = (others: number) => (foreign += others);
  const written = await showProgress('export', head, printing, (report) =>
    writeRecords(file, source, { ...mode, report, onForeignEvents }),
  );
  return { file, ...written, left_behind: await describeOmissions(source.ports.models, foreign) };
}

interface ExportMode {
  /** Aborts when the export has to stop. */
  readonly signal: AbortSignal;
  /** No other process writes to the source. */
  readonly isSnapshot: boolean;
}

interface ExportObserver extends ExportMode {
  readonly report: ReportProgress;
  readonly onForeignEvents: OnForeignEvents;
}

async function writeRecords(
  file: string,
  { ports, reactors }: MigrationSource,
  { signal, isSnapshot, report, onForeignEvents }: ExportObserver,
) {
  const writer = await ArchiveWriter.open(file, toIso(Date.now()));
  try {
    const head = await ports.events.readHead();
    const onEvent = reportPositions(report);
    for await (const event of stopOnAbort(signal, readLog(ports.events, { onForeignEvents }))) {
      passCrashPoint('mid-export');
      await writer.writeEvent(event);
      onEvent(event);
    }
    const unchecked = readStoreRecords(ports, reactors);
    const records = isSnapshot ? unchecked : requireUnchanged(unchecked, ports, head);
    for await (const record of stopOnAbort(signal, records)) await writer.writeRecord(record);
    return await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

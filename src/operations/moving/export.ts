import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../config.js';
import { iso } from '../../kernel/clock.js';
import { crashPoint } from '../../kernel/crash-points.js';
import { eachOf, type PassedOver } from '../event-log.js';
import { interruptible } from '../interruption.js';
import { showing, type Report } from '../progress.js';
import { CannotDo, type Printing } from '../toolbox.js';
import { HouseWriter } from './house-file.js';
import { belongingsOf } from './leaving.js';
import { leftBehind, sourceOf, tellingPositions, until, type Source } from './moving.js';
import { unlessMore, whileNothingRuns } from './stillness.js';

/**
 * Writes a store into a file. An embedded store is read from a snapshot, so the service may run. On external stores no
 * service may run, because the log and the other records cannot be read at one point in time.
 * @throws CliError when the file exists, or a service runs on external stores
 */
export async function exportTo(file: string, service: INestApplicationContext, printing: Printing) {
  if (existsSync(file)) throw new CannotDo(`${file} exists already`);
  const source = sourceOf(service);
  const { stores } = service.get(Config, { strict: false });
  return 'file' in stores
    ? inSnapshot(stores.file, source, (snapshot) =>
        interruptible((signal) => write(file, snapshot, { still: signal, isSnapshot: true }, printing)),
      )
    : interruptible((signal) =>
        whileNothingRuns(source.ports, source.reactors, signal, (still) => write(file, source, { still, isSnapshot: false }, printing)),
      );
}

/** Runs the work on a snapshot next to the store file, and deletes the snapshot afterwards. */
async function inSnapshot<T>(store: string, { reactors }: Source, work: (snapshot: Source) => Promise<T>): Promise<T> {
  const [{ backUp }, { makeSnapshotFolder }, { openStores }] = await Promise.all([
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

async function write(file: string, source: Source, reading: Reading, printing: Printing) {
  const head = await source.ports.events.head();
  let foreign = 0;
  const passedOver = (others: number) => (foreign += others);
  const written = await showing('export', head, printing, (report) => wholeIn(file, source, { ...reading, report, passedOver }));
  return { file, ...written, left_behind: await leftBehind(source.ports.models, foreign) };
}

interface Reading {
  /** Aborts when the export has to stop. */
  readonly still: AbortSignal;
  /** No other process writes to the source. */
  readonly isSnapshot: boolean;
}

interface Watched extends Reading {
  readonly report: Report;
  readonly passedOver: PassedOver;
}

async function wholeIn(file: string, { ports, reactors }: Source, { still, isSnapshot, report, passedOver }: Watched) {
  const writer = await HouseWriter.open(file, iso(Date.now()));
  try {
    const head = await ports.events.head();
    const passed = tellingPositions(report);
    for await (const event of until(still, eachOf(ports.events, { passedOver }))) {
      crashPoint('mid-export');
      await writer.event(event);
      passed(event);
    }
    const all = belongingsOf(ports, reactors);
    const belongings = isSnapshot ? all : unlessMore(all, ports, head);
    for await (const belonging of until(still, belongings)) await writer.belonging(belonging);
    return await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

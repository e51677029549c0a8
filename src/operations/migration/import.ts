import type { Config } from '../../config.js';
import { Keys } from '../../engine/encryption/keys.js';
import type { Ports } from '../../stores/ports.js';
import type { OutputOptions } from '../cli/cli.js';
import { runInterruptible } from '../cli/interruption.js';
import { showProgress } from '../cli/progress-bar.js';
import { readEvents, readRecords } from './archive.js';
import { ArchiveCheck } from './archive-check.js';
import { createReporter, initializeKeys, migrate, type MigrationInput } from './migration.js';

/** Imports a file into an empty store, or continues an interrupted import. Checks the file and the keys first. */
export async function importFromFile(file: string, target: Ports, config: Config, printing: OutputOptions) {
  const { events, counts, sha256, keyCheckValue: mark } = await ArchiveCheck.run(file);
  await initializeKeys(Keys.from(config), mark, target);
  const isNew = await runInterruptible((signal) =>
    showProgress('import', String(events), printing, (report) => {
      const input: MigrationInput = { name: sha256, events: readEvents(file), records: readRecords(file) };
      const onEvent = createReporter(report, (_, n) => String(n));
      return migrate(input, target, onEvent, signal);
    }),
  );
  return { file, events, counts, sha256, moved: isNew };
}

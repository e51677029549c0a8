import type { Config } from '../../config/config.js';
import { Keys } from '../../engine/encryption/keys.js';
import type { Ports } from '../../stores/ports.js';
import type { OutputOptions } from '../cli/cli.js';
import { runInterruptible } from '../cli/interruption.js';
import { showProgress } from '../cli/progress-bar.js';
import { type CheckedArchive, readArchive } from './archive.js';
import { initializeKeys, migrate } from './migration.js';

interface ImportTarget extends OutputOptions {
  readonly ports: Ports;
  readonly config: Config;
}

/** Imports a checked file into an empty store, or continues an interrupted import. Checks the keys first. */
export async function importFromFile(
  file: string,
  { content, keyCheckValue }: CheckedArchive,
  { ports: target, config, json }: ImportTarget,
) {
  await initializeKeys(Keys.from(config), keyCheckValue, target);
  const moved = await runInterruptible((signal) =>
    showProgress('import', String(content.events), { json }, (report) =>
      migrate({ name: content.sha256, items: readArchive(file) }, target, report, signal),
    ),
  );
  return { file, ...content, moved };
}

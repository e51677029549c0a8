import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { currentProcessId, isProcessDead } from '../process-id.js';

const PREFIX = 'export-';

/** Creates a folder beside the store, named after this process, so that a later process can see when it is unused. */
export function createSnapshotFolder(store: string): string {
  const folder = join(dirname(store), PREFIX + currentProcessId());
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Removes the folders that killed processes have left beside the store. */
export function removeStaleSnapshots(store: string): void {
  const folders = readdirSync(dirname(store)).filter(
    (name) => name.startsWith(PREFIX) && isProcessDead(name.slice(PREFIX.length)),
  );
  for (const name of folders) rmSync(join(dirname(store), name), { recursive: true, force: true });
}

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isGone, thisHolder } from '../holder.js';

const PREFIX = 'export-';

/** A new folder beside the store, named after this process, so that a later one knows when nobody uses it any more. */
export function makeSnapshotFolder(store: string): string {
  const folder = join(dirname(store), PREFIX + thisHolder());
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Removes the folders beside the store that killed processes have left. */
export function removeLeftSnapshots(store: string): void {
  const folders = readdirSync(dirname(store)).filter((name) => name.startsWith(PREFIX) && isGone(name.slice(PREFIX.length)));
  for (const name of folders) rmSync(join(dirname(store), name), { recursive: true, force: true });
}

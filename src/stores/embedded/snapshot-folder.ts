import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { currentProcessId, isProcessDead } from '../process-id.js';

const PREFIX = 'export-';
/** A younger draft may belong to a backup or restore that is running. */
const DRAFT_LIFETIME_MS = 60_000;

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

/** Removes the drafts of backups and restored stores that a killed process or a full disk has left beside the store. */
export function removeStaleDrafts(store: string): void {
  const isDraft = (name: string) => name.startsWith(`${basename(store)}.`) && /\.part(-journal)?$/.test(name);
  for (const name of readdirSync(dirname(store)).filter(isDraft)) {
    const path = join(dirname(store), name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > DRAFT_LIFETIME_MS) rmSync(path, { force: true });
  }
}

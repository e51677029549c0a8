import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o700;

/**
 * Creates the folder and its missing parents, for their owner alone; a folder that exists stays as it is. Node's own
 * `recursive` option never returns on a file system that has no new folders, such as /proc.
 * @throws an error of the operating system; EEXIST when the path is a file
 */
export function createFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent)) createFolder(parent);
  try {
    mkdirSync(path, { mode: OWNER_ONLY });
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

import { chmodSync, closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { newUuid } from '../../kernel/ids.js';
import { openForReading } from './schema.js';

const OWNER_ALONE = 0o600;

/** The file is not a store, or is damaged. */
export class DamagedFile extends Error {
  constructor(file: string, how: string) {
    super(`${file} is damaged: ${how}`);
    this.name = 'DamagedFile';
  }
}

/** Copies the store as it is at one moment, while other processes may write to it. Only the owner may read the copy. */
export function backUp(file: string, to: string): void {
  placed(to, (draft) => {
    closeSync(openSync(draft, 'wx', OWNER_ALONE));
    const db = openForReading(file);
    try {
      db.prepare('vacuum into ?').run(draft);
    } finally {
      db.close();
    }
  });
}

/** Restores the store from a backup. */
export function putBack(file: string, to: string): void {
  placed(to, (draft) => {
    copyFileSync(file, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, OWNER_ALONE);
  });
}

/** Checks the consistency of the pages of the file. @throws DamagedFile */
export function lookThrough(file: string): void {
  const found = readFrom(file, (db) => db.prepare('pragma quick_check(1)').get()!.quick_check);
  if (found !== 'ok') throw new DamagedFile(file, String(found));
}

/** Reads an entry from the vault of the file. */
export function sealedIn(file: string, id: string): Uint8Array | null {
  const row = readFrom(file, (db) => db.prepare('select sealed from vault where id = ?').get(id));
  return (row?.sealed as Uint8Array | null | undefined) ?? null;
}

function readFrom<T>(file: string, read: (db: DatabaseSync) => T): T {
  const db = opened(file);
  try {
    return read(db);
  } catch (error) {
    throw new DamagedFile(file, (error as Error).message);
  } finally {
    db.close();
  }
}

function opened(file: string): DatabaseSync {
  try {
    return openForReading(file);
  } catch (error) {
    throw new DamagedFile(file, (error as Error).message);
  }
}

/** Writes a draft and renames it, so that the file appears complete or not at all. */
function placed(to: string, make: (draft: string) => void): void {
  const draft = `${to}.${newUuid()}.part`;
  try {
    make(draft);
    flush(draft);
    renameSync(draft, to);
    flush(dirname(to));
  } finally {
    rmSync(draft, { force: true });
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

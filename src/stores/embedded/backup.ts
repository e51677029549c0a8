import { chmodSync, closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { newUuid } from '../../kernel/ids.js';
import { openForReading } from './schema.js';
import { removeStaleDrafts } from './snapshot-folder.js';

const OWNER_ONLY = 0o600;

/** The file is not a store, or is damaged. */
export class DamagedFile extends Error {
  constructor(file: string, reason: string) {
    super(`${file} is damaged: ${reason}`);
    this.name = 'DamagedFile';
  }
}

/** Copies the store as it is at one moment, while other processes may write to it. Only the owner may read the copy. */
export function backUp(file: string, to: string): void {
  writeAtomically(to, (draft) => {
    closeSync(openSync(draft, 'wx', OWNER_ONLY));
    const db = openForReading(file);
    try {
      db.prepare('vacuum into ?').run(draft);
    } finally {
      db.close();
    }
  });
}

export function restoreBackup(file: string, to: string): void {
  writeAtomically(to, (draft) => {
    copyFileSync(file, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, OWNER_ONLY);
  });
}

/** Checks the consistency of the pages of the file. @throws DamagedFile */
export function checkIntegrity(file: string): void {
  const found = readFrom(file, (db) => db.prepare('pragma quick_check(1)').get()!.quick_check);
  if (found !== 'ok') throw new DamagedFile(file, String(found));
}

export function readVaultEntry(file: string, id: string): Uint8Array | null {
  const row = readFrom(file, (db) => db.prepare('select sealed from vault where id = ?').get(id));
  return (row?.sealed as Uint8Array | null | undefined) ?? null;
}

function readFrom<T>(file: string, read: (db: DatabaseSync) => T): T {
  const db = openFile(file);
  try {
    return read(db);
  } catch (error) {
    throw new DamagedFile(file, (error as Error).message);
  } finally {
    db.close();
  }
}

function openFile(file: string): DatabaseSync {
  try {
    return openForReading(file);
  } catch (error) {
    throw new DamagedFile(file, (error as Error).message);
  }
}

/** Writes a draft and renames it, so that the file appears complete or not at all. */
function writeAtomically(to: string, make: (draft: string) => void): void {
  removeStaleDrafts(to);
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

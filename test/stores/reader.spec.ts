import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../src/kernel/event-store.js';
import { Reader } from '../../src/stores/embedded/reader.js';
import { isFinal, isUsageError } from '../../src/stores/embedded/sqlite.js';
import { createEvents } from '../contracts/events.js';
import { Folder } from './support/folder.js';

const PAGE_BYTES = 4_096;
const failure = (errcode: number) => Object.assign(new Error('failed'), { code: 'ERR_SQLITE_ERROR', errcode });

describe('A read of the embedded store', () => {
  const folder = Folder.each();

  it('reports that the store is unavailable and needs a restart when its file is damaged', async () => {
    const stores = await folder.open();
    await stores.events.append('jar-1', 'none', createEvents(50));
    await stores.close();
    damage(folder.file, 'events');
    const fatal: Error[] = [];
    const reader = new Reader(folder.file, (error) => fatal.push(error));

    await expect(reader.read((sql) => sql.all('select * from events'))).rejects.toBeInstanceOf(StoreUnavailable);
    expect(fatal).toHaveLength(1);
    reader.close();
  });

  it('reports the same when the schema is damaged before the file is opened', async () => {
    const stores = await folder.open();
    await stores.close();
    damageSchema(folder.file);
    const fatal: Error[] = [];

    expect(() => new Reader(folder.file, (error) => fatal.push(error))).toThrow(StoreUnavailable);
    expect(fatal).toHaveLength(1);
  });

  it('throws an error in its statement unchanged', async () => {
    await folder.open();
    const reader = new Reader(folder.file);

    await expect(reader.read((sql) => sql.all('select * from nowhere'))).rejects.toThrow('no such table');
    reader.close();
  });
});

/** Overwrites the first page of a table. The schema stays whole, so the file can be opened. */
function damage(file: string, table: string): void {
  const db = new DatabaseSync(file);
  const page = Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(table)!.rootpage);
  db.close();
  writeFileSync(file, readFileSync(file).fill(0xff, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));
}

/** Overwrites the first page after the header of the file. */
function damageSchema(file: string): void {
  writeFileSync(file, readFileSync(file).fill(0xff, 100, PAGE_BYTES));
}

describe('A failure of SQLite', () => {
  it.each([
    ['an error of the disk, with its detail in the upper bits', 10 | (1 << 8), true, false],
    ['a damaged file', 11, true, false],
    ['a file that cannot be opened', 14, true, false],
    ['a read-only file system', 8, false, false],
    ['out of memory', 7, false, false],
    ['a wrong statement', 1, false, true],
    ['a broken constraint', 19, false, true],
  ])('is classified by its code: %s', (_, errcode, final, mistake) => {
    expect([isFinal(failure(errcode)), isUsageError(failure(errcode))]).toEqual([final, mistake]);
  });

  it('does not include errors of other origin', () => expect(isUsageError(new TypeError('no function'))).toBe(true));
});

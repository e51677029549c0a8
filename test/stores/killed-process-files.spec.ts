import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Folder } from './support/folder.js';

const SECRET = Buffer.from('encrypted-and-then-destroyed');

describe('The files of a process that was killed after it destroyed a key', () => {
  const folder = Folder.each();

  it('contain no trace of the key soon after the next process opens them', async () => {
    const copy = join(folder.path, 'copy.sqlite');
    await copyAfterDestroying(folder, copy);
    const isThere = () => [copy, `${copy}-wal`].some((file) => readFileSync(file).includes(SECRET));
    expect(isThere()).toBe(true);

    await folder.open({ file: copy });
    while (isThere()) await delay(5);
  });
});

/** An open reader preserves the write-ahead log, so the copy equals the files that a kill at that moment leaves. */
async function copyAfterDestroying(folder: Folder, copy: string): Promise<void> {
  const { vault } = await folder.open();
  await vault.putIfAbsent('subject_1', SECRET);
  const reader = new DatabaseSync(folder.file);
  reader.exec('begin');
  reader.prepare('select count(*) from sqlite_schema').get();
  await vault.destroy('subject_1');
  copyFileSync(folder.file, copy);
  copyFileSync(`${folder.file}-wal`, `${copy}-wal`);
  reader.exec('rollback');
  reader.close();
}

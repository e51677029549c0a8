import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backUp } from '../../src/stores/embedded/backup.js';
import { Folder } from './support/folder.js';

const listDrafts = (path: string) => readdirSync(path).filter((name) => name.includes('.part'));

describe('The drafts of a backup or a restore that was killed', () => {
  const folder = Folder.each();

  it('are removed at the next start, and a draft of now is not', async () => {
    const old = ['store.sqlite.0a.part', 'store.sqlite.0a.part-journal'];
    for (const name of [...old, 'store.sqlite.0b.part']) writeFileSync(join(folder.path, name), '');
    for (const name of old) utimesSync(join(folder.path, name), new Date('2026-01-01'), new Date('2026-01-01'));
    await folder.open();
    expect(listDrafts(folder.path)).toEqual(['store.sqlite.0b.part']);
  });

  it('are removed by the next backup into their folder', async () => {
    await folder.open();
    const to = mkdtempSync(join(folder.path, 'backup-'));
    writeFileSync(join(to, 'store.sqlite.0a.part'), '');
    utimesSync(join(to, 'store.sqlite.0a.part'), new Date('2026-01-01'), new Date('2026-01-01'));
    backUp(folder.file, join(to, 'store.sqlite'));
    expect(readdirSync(to)).toEqual(['store.sqlite']);
  });
});

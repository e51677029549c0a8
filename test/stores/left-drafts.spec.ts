import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Folder } from './support/folder.js';

describe('The drafts of a restore that was killed', () => {
  const folder = Folder.each();

  it('are removed at the next start, and a draft of now is not', async () => {
    const old = ['store.sqlite.0a.part', 'store.sqlite.0a.part-journal'];
    for (const name of [...old, 'store.sqlite.0b.part']) writeFileSync(join(folder.path, name), '');
    for (const name of old) utimesSync(join(folder.path, name), new Date('2026-01-01'), new Date('2026-01-01'));
    await folder.open();

    const drafts = readdirSync(folder.path).filter((name) => name.includes('.part'));
    expect(drafts).toEqual(['store.sqlite.0b.part']);
  });
});

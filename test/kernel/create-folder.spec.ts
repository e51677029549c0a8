import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolder } from '../../src/kernel/create-folder.js';

const OWNER_ONLY = 0o700;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('A folder', () => {
  it('is created with its parents, for its owner alone, and stays as it is the second time', () => {
    const path = join(directory, 'a/b/c');
    createFolder(path);
    writeFileSync(join(path, 'kept'), '');
    createFolder(path);

    expect(statSync(path).mode & 0o777).toBe(OWNER_ONLY);
    expect(statSync(join(directory, 'a')).mode & 0o777).toBe(OWNER_ONLY);
    expect(existsSync(join(path, 'kept'))).toBe(true);
  });

  it('may be a link to a folder', () => {
    createFolder(join(directory, 'real'));
    symlinkSync(join(directory, 'real'), join(directory, 'link'));

    expect(() => createFolder(join(directory, 'link'))).not.toThrow();
  });

  it.each([
    ['a file', '', 'EEXIST'],
    ['below a file', 'x', 'ENOTDIR'],
  ])('is refused when its path is %s', (_, below, code) => {
    const file = join(directory, 'file');
    writeFileSync(file, '');

    expect(() => createFolder(join(file, below))).toThrow(code);
  });

  it('is refused at once on a file system without new folders', () => {
    const path = existsSync('/proc/self') ? '/proc/x/y' : '/dev/null/x/y';

    expect(() => createFolder(path)).toThrow(/^E(NOENT|NOTDIR)/);
  });
});

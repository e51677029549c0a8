import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../../../support/command-line.js';
import { ServiceProcess } from '../../../support/service-process.js';

/** A file system without new folders; on other systems a folder below a file. */
const NO_FOLDERS = existsSync('/proc/self') ? '/proc' : '/dev/null';

let directory: string;
let file: string;
let ops: CommandLine;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'paths-'));
  file = join(directory, 'file');
  writeFileSync(file, '');
  ops = new CommandLine(join(directory, 'data'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const ONE_LINE = /^E[A-Z]+: [^\n]+\n$/;

describe('A data directory that cannot be created', () => {
  const places = () => [join(NO_FOLDERS, 'x'), join(NO_FOLDERS, 'x/y'), file, join(file, 'x')];

  it('ends a start at once with 78 and one line', async () => {
    for (const place of places())
      await expect(ServiceProcess.start(place)).rejects.toThrow(/\(78\)[^]*E[A-Z]+: [^\n]+\n?$/);
  });

  it('ends a command that creates a store with 78 and one line', async () => {
    for (const place of places()) {
      const { exitCode, out, err } = await ops.run('businesses create --name Acme --owner-sub ann', {
        DATA_DIR: place,
      });
      expect([exitCode, out, err]).toEqual([78, '', expect.stringMatching(ONE_LINE)]);
    }
  });
});

describe('A path of a command that cannot be written or read', () => {
  beforeEach(async () => void (await ops.run('businesses create --name Acme --owner-sub ann')));

  it.each(['store backup --out', 'store export --out'])('ends "%s" at once with 1 and one line', async (words) => {
    for (const place of [join(NO_FOLDERS, 'x/y'), join(file, 'x')]) {
      const { exitCode, out, err } = await ops.run(`${words} ${place}`);
      expect([exitCode, out, err]).toEqual([1, '', expect.stringMatching(ONE_LINE)]);
    }
  });

  it.each(['store restore --from', 'store import --from'])('ends "%s" at once with 1 and one line', async (words) => {
    const place = join(directory, 'folder');
    mkdirSync(place);
    for (const path of [join(NO_FOLDERS, 'x'), join(file, 'x'), place]) {
      const { exitCode, out, err } = await ops.run(`${words} ${path}`, { DATA_DIR: join(directory, 'other') });
      expect([exitCode, out, err]).toEqual([1, '', expect.stringMatching(/^[^\n]+\n$/)]);
    }
    expect(existsSync(join(directory, 'other', 'store.sqlite'))).toBe(false);
  });
});

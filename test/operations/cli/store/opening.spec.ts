import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../../../support/command-line.js';

const KEYS = ['master.key', 'ops.token', 'pepper.key', 'session-key.json'];
const LONG_MS = 120_000;

let parent: string;
let directory: string;
let ops: CommandLine;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'opening-'));
  directory = join(parent, 'typo');
  ops = new CommandLine(directory);
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('A command on a folder without a store', () => {
  it.each([
    'audit verify',
    'audit checkpoint',
    'businesses list',
    'dead-letters list',
    'events stats',
    'events tail',
    'jobs list',
    'keys list --business biz_01h00000000000000000000000',
    'projections list',
    'store doctor',
    'store export --out export.ndjson',
    'store backup --out backup',
    'store reseal',
    'store rewind',
    'subjects forget --email ann@example.com',
    'tokens sign --sub ann',
    'console open',
    'webhooks listen --forward-to http://127.0.0.1:1',
  ])('"%s" reports it and creates nothing', async (words) => {
    const { exitCode, out, err } = await ops.run(words);

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(`there is no store at ${join(directory, 'store.sqlite')}: set DATA_DIR to the folder of`);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(existsSync(directory)).toBe(false);
  });

  it.each(['config check', 'config print'])('"%s" creates nothing', async (words) => {
    expect((await ops.run(words)).exitCode).toBe(0);
    expect(existsSync(directory)).toBe(false);
  });

  it('"businesses create" creates the store and its keys', async () => {
    await ops.run('businesses create --name Acme --owner-sub ann');

    expect(readdirSync(directory)).toEqual(expect.arrayContaining([...KEYS, 'store.sqlite']));
  });
});

describe('A store whose file is empty', () => {
  it.each(['businesses list', 'store doctor', 'audit verify'])(
    'is reported by "%s", and stays empty',
    async (words) => {
      await ops.run('businesses create --name Acme --owner-sub ann');
      const file = join(directory, 'store.sqlite');
      for (const name of readdirSync(directory).filter((one) => one.startsWith('store.sqlite-')))
        rmSync(join(directory, name));
      writeFileSync(file, '');
      const { exitCode, out, err } = await ops.run(words);

      expect([exitCode, out, readFileSync(file, 'utf8')]).toEqual([1, '', '']);
      expect(err).toMatch(`${file} is empty: restore a backup, or set DATA_DIR to the folder of`);
    },
  );
});

describe('A store without one of its keys', () => {
  beforeEach(async () => void (await ops.run('businesses create --name Acme --owner-sub ann')));

  it.each([
    ['master.key', 'MASTER_KEY'],
    ['pepper.key', 'KEY_PEPPER'],
  ])('is not opened, and %s is named instead of generated', async (name, variable) => {
    rmSync(join(directory, name));
    const { exitCode, err } = await ops.run('businesses list');

    expect([exitCode, err.trim().split('\n').length]).toEqual([78, 1]);
    expect(err).toMatch(new RegExp(`^${name} is missing in .*: put the file back, or set ${variable}`));
    expect((await ops.run('businesses create --name Other --owner-sub ann')).exitCode).toBe(78);
    expect((await ops.run('config check')).exitCode).toBe(78);
    expect(existsSync(join(directory, name))).toBe(false);
  });
});

describe('An import into an empty folder', () => {
  const file = () => join(parent, 'export.ndjson');
  beforeEach(async () => {
    await ops.run('businesses create --name Acme --owner-sub ann');
    await ops.runForDocument(`store export --out ${file()}`);
  });

  it.each([
    ['of a missing file', 'nothing.ndjson', 'there is no file'],
    ['of another file', 'other.ndjson', 'is not an export that this version can read'],
    [
      'without the keys of the exported service',
      'export.ndjson',
      'First copy master.key and pepper.key of the service',
    ],
  ])('creates nothing: %s', async (_, name, line) => {
    writeFileSync(join(parent, 'other.ndjson'), '{}\n');
    const empty = join(parent, 'empty');
    const { exitCode, err } = await new CommandLine(empty).run(`store import --from ${join(parent, name)}`);

    expect([exitCode, err.trim().split('\n').length]).toEqual([1, 1]);
    expect(err).toContain(line);
    expect(existsSync(empty)).toBe(false);
  });

  it('works once the keys are there', async () => {
    const other = join(parent, 'other');
    mkdirSync(other);
    for (const name of ['master.key', 'pepper.key']) copyFileSync(join(directory, name), join(other, name));
    const { exitCode } = await new CommandLine(other).run(`store import --from ${file()}`);

    expect(exitCode).toBe(0);
    expect(await new CommandLine(other).runForDocument('businesses list')).toEqual(
      await ops.runForDocument('businesses list'),
    );
  });
});

describe('A backup that is restored into an empty folder', () => {
  it(
    'creates no key, names the missing ones, and works once they are there',
    async () => {
      const { business } = await ops.runForDocument('businesses create --name Acme --owner-sub ann');
      await ops.runForDocument(`store backup --out ${join(parent, 'backup')}`);
      const empty = join(parent, 'empty');
      const other = new CommandLine(empty);
      const restored = await other.run(`store restore --from ${join(parent, 'backup')}`);

      expect(restored).toMatchObject({ exitCode: 0, out: `restored: ${join(empty, 'store.sqlite')}\n` });
      expect(restored.err).toContain(`copy master.key and pepper.key of the service that was backed up to ${empty}`);
      expect(readdirSync(empty)).toEqual(['store.sqlite']);
      expect((await other.run('businesses list')).exitCode).toBe(78);

      const { MASTER_KEY, KEY_PEPPER } = readKeys();
      const list = await other.run('businesses list --json', { MASTER_KEY, KEY_PEPPER });
      expect(JSON.parse(list.out)).toEqual({ businesses: [business] });
    },
    LONG_MS,
  );

  function readKeys() {
    const read = (name: string) => readFileSync(join(directory, name), 'utf8').trim();
    return { MASTER_KEY: read('master.key'), KEY_PEPPER: read('pepper.key') };
  }
});

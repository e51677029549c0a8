import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { CommandLine } from '../support/command-line.js';
import { ServiceProcess } from '../support/service-process.js';
import { VERSION_1 } from './support/version-1.js';

/** More products than a service without temporary files could once record. */
const PRODUCTS = 300;
const WRITERS = 6;
const JOBS = 200_000;
const LONG_MS = 180_000;

let directory: string;
let dataDir: string;
let SQLITE_TMPDIR: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'no-temporary-files-'));
  dataDir = join(directory, 'data');
  SQLITE_TMPDIR = createUnusableFolder(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** The SQLite of Node 26 passes over such a folder, and uses another one. */
const usesOtherFolder = Number.parseInt(process.versions.node, 10) >= 26;

(usesOtherFolder ? it.skip : it)('SQLite cannot write a temporary file in the folder of these tests', async () => {
  const script = `
    const db = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    db.exec(\`create table t (a); create index i on t (a);
      with recursive c (n) as (select 1 union all select n + 1 from c where n < 300000) insert into t select hex(randomblob(60)) from c;
      create index again on t (a)\`);`;
  const run = promisify(execFile)(process.execPath, ['-e', script, join(directory, 'plain.sqlite')], {
    env: { SQLITE_TMPDIR },
  });

  await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('ERR_SQLITE_ERROR') as string });
});

describe('Without a folder for temporary files', () => {
  it(
    'the service records and shows many products, and rebuilds every projection',
    async () => {
      const service = await ServiceProcess.start(dataDir, { SQLITE_TMPDIR });
      const api = service.createApi(service.firstKey);
      const product = { name: 'x'.repeat(200) };
      const statuses: number[] = [];
      const write = async () => {
        while (statuses.length < PRODUCTS) statuses.push((await api.post('/v1/commerce/products', product)).status);
      };
      await Promise.all(Array.from({ length: WRITERS }, write));
      const rebuilt = await new CommandLine(dataDir, { SQLITE_TMPDIR }).startOwnProcess('projections rebuild --all')
        .result;
      const { body } = await api.get('/v1/commerce/products');

      expect(new Set(statuses)).toEqual(new Set([201]));
      expect(rebuilt).toMatchObject({ exitCode: 0, err: expect.not.stringContaining('failed') as string });
      expect(body.pagination.total_count).toBe(statuses.length);
      expect(await service.stop()).toBe(0);
    },
    LONG_MS,
  );

  it(
    'a store of an older version is upgraded',
    async () => {
      await new CommandLine(dataDir).startOwnProcess('businesses create --name Acme --owner-sub ann').result;
      const file = join(dataDir, 'store.sqlite');
      rmSync(file);
      fillOldStore(file);
      const opened = await new CommandLine(dataDir, { SQLITE_TMPDIR }).startOwnProcess('jobs list --json').result;

      expect([opened.exitCode, opened.err]).toEqual([0, 'only the first 100 are shown; --limit shows more\n']);
    },
    LONG_MS,
  );
});

/** SQLite finds this folder writable, and cannot form the name of a file in it. */
function createUnusableFolder(parent: string): string {
  const folder = join(parent, 'a'.repeat(200), 'b'.repeat(200), 'c'.repeat(200));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The upgrade creates indexes of these jobs, and counts them by their queues. */
function fillOldStore(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`${VERSION_1};
    with recursive c (n) as (select 1 union all select n + 1 from c where n < ${JOBS})
      insert into jobs (key, queue, due, data) select 'job-' || n, 'queue-' || hex(randomblob(20)), '9999-01-01T00:00:00.000Z', '{}' from c`);
  db.close();
}

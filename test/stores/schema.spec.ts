import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Folder } from './support/folder.js';
import { VERSION_1 } from './support/version-1.js';

const COLUMNS = `select tables.name || '.' || columns.name as path from pragma_table_list tables, pragma_table_info(tables.name) columns
  where tables.name not like 'sqlite_%' order by path`;
const DUE = '2026-02-01T09:00:00.000Z';

describe('A file of the embedded store', () => {
  const folder = Folder.each();

  it('is upgraded from version 1 when it is opened, and keeps its data', async () => {
    createFile(`${VERSION_1};
      insert into jobs (key, queue, due, data, attempt) values ('a', 'mail', '${DUE}', '{"to":"ann"}', 3);
      insert into idempotency (scope, key, fingerprint, command_id, began, lease) values ('biz_1', 'k', 'f', 'c', 9000000000000, 0)`);
    const { jobs, idempotency, catalogue } = await folder.open();

    expect(await jobs.claim('mail', { limit: 1, leaseMs: 1_000, holder: 'one' })).toEqual([
      { id: '1', key: 'a', queue: 'mail', due: DUE, data: { to: 'ann' }, attempt: 4, failures: 0 },
    ]);
    const claimed = await idempotency.claim(
      { scope: 'biz_1', key: 'k' },
      { fingerprint: 'f', leaseMs: 1_000, holder: 'one' },
    );
    expect(claimed).toMatchObject({ status: 'started', commandId: 'c', run: 2 });
    expect(await catalogue.listEntries()).toEqual([]);
  });

  it('counts its existing jobs after an upgrade', async () => {
    createFile(`${VERSION_1};
      insert into jobs (key, queue, due, data) values ('a', 'mail', '${DUE}', '{}'), ('b', 'mail', '9999-01-01T00:00:00.000Z', '{}');
      insert into jobs (key, queue, due, data, parked) values ('c', 'mail', '${DUE}', '{}', 1)`);
    const { jobs } = await folder.open();

    expect(await jobs.readQueueStats()).toEqual([
      { queue: 'mail', waiting: 2, due: 1, running: 0, parked: 1, oldestDue: DUE },
    ]);
  });

  it('drops the counts of empty queues in an upgrade', async () => {
    await folder.open();
    createFile(`insert into job_counts values ('emptied', 0, 0), ('leased', 0, 0);
      insert into jobs (key, queue, due, data) values ('a', 'leased', '${DUE}', '{}');
      update jobs set holder = 'one', lease = '9999-01-01T00:00:00.000Z' where key = 'a';
      pragma user_version = 4`);
    await folder.open();

    expect(withFile((db) => db.prepare('select queue from job_counts').all())).toEqual([{ queue: 'leased' }]);
  });

  it('has the same triggers after an upgrade from every version', async () => {
    createFile(VERSION_1);
    const other = join(folder.path, 'fresh.sqlite');
    await Promise.all([folder.open(), folder.open({ file: other })]);

    expect(readTriggers()).toEqual(readTriggers(other));
  });

  it('has the same tables and columns after an upgrade from every version', async () => {
    createFile(VERSION_1);
    const other = join(folder.path, 'fresh.sqlite');
    await Promise.all([folder.open(), folder.open({ file: other })]);

    expect(readColumns()).toEqual(readColumns(other));
  });

  it('is refused and unchanged when a newer version has written it', async () => {
    createFile('create table jobs (key text); pragma user_version = 99');

    await expect(folder.open()).rejects.toThrow('the store was written by a newer version of the service (99)');
    expect(readColumns()).toEqual(['jobs.key']);
  });

  function createFile(sql: string): void {
    withFile((db) => db.exec(sql));
  }

  function readTriggers(file = folder.file): readonly unknown[] {
    return withFile(
      (db) => db.prepare("select name, sql from sqlite_schema where type = 'trigger' order by name").all(),
      file,
    );
  }

  function readColumns(file = folder.file): string[] {
    const rows = withFile((db) => db.prepare(COLUMNS).all(), file);
    return rows.map(({ path }) => path as string);
  }

  function withFile<T>(work: (db: DatabaseSync) => T, file = folder.file): T {
    const db = new DatabaseSync(file);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }
});

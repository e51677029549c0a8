import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const KINDS = ['insert', 'update', 'delete'] as const;
const COUNTS = 'bench_rows';

/** Starts counting written rows per table with triggers. Such a run must not be timed. */
export function countRows(dataDir: string): void {
  const db = openDatabase(dataDir);
  const tables = db
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .all() as { name: string }[];
  db.exec(`create table ${COUNTS} (name text primary key, written integer not null)`);
  for (const { name } of tables) for (const kind of KINDS) createTrigger(db, name, kind);
  db.close();
}

/** Returns the rows written per delivery since then, by table and kind. */
export function readRowCounts(dataDir: string, deliveries: number): Readonly<Record<string, number>> {
  const db = openDatabase(dataDir);
  const counts = db
    .prepare(`select name, written from ${COUNTS} where written > 0 order by written desc`)
    .all() as unknown as Count[];
  db.close();
  const each = counts.map(({ name, written }) => [name, Number((written / deliveries).toFixed(3))] as const);
  return Object.fromEntries([['all', Number(each.reduce((sum, [, rows]) => sum + rows, 0).toFixed(3))], ...each]);
}

interface Count {
  readonly name: string;
  readonly written: number;
}

function createTrigger(db: DatabaseSync, table: string, kind: (typeof KINDS)[number]): void {
  const name = `${table}: ${kind}`;
  db.prepare(`insert into ${COUNTS} values (?, 0)`).run(name);
  db.exec(
    `create trigger "bench ${name}" after ${kind} on "${table}" begin update ${COUNTS} set written = written + 1 where name = '${name}'; end`,
  );
}

function openDatabase(dataDir: string): DatabaseSync {
  return new DatabaseSync(join(dataDir, 'store.sqlite'), { timeout: 5_000 });
}

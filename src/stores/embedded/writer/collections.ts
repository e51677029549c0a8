import { columnOf, extracted, literal, NOTHING, quoted, shapeOf, tableOf, totalOf, type CompleteShape } from '../collections.js';
import type { Statements } from '../sqlite.js';

const KEEP_SHAPE = 'insert into collections (name, shape) values (?, ?) on conflict do update set shape = excluded.shape';

export function collectionOperations(sql: Statements) {
  return {
    prepare(collection: string, asked: CompleteShape): void {
      const kept = shapeOf(sql, collection);
      const before = kept ?? NOTHING;
      const after = joined(before, asked);
      if (kept === null) create(sql, collection, pathsOf(after));
      else addColumns(sql, collection, added(pathsOf(before), pathsOf(after), String));

      for (const paths of added(before.indexes, after.indexes, JSON.stringify)) createIndex(sql, collection, paths);
      for (const paths of added(before.sparse, after.sparse, JSON.stringify)) createSparseIndex(sql, collection, paths);
      for (const paths of added(before.totals, after.totals, totalOf)) keepTotal(sql, collection, paths);
      if (JSON.stringify(after) !== JSON.stringify(kept)) sql.run(KEEP_SHAPE, collection, JSON.stringify(after));
    },

    /** Takes so many rows away. Whether there are more. */
    thin(collection: string, rows: number): boolean {
      if (shapeOf(sql, collection) === null) return false;
      const table = tableOf(collection);
      return sql.run(`delete from ${table} where rowid in (select rowid from ${table} limit ?)`, rows) === rows;
    },

    drop(collection: string): void {
      sql.db.exec(`drop table if exists ${tableOf(collection)}`);
      sql.run('delete from totals where collection = ?', collection);
      sql.run('delete from collections where name = ?', collection);
    },
  };
}

/** What is kept, and what is new in `asked`: an older process may still ask for less. */
function joined(kept: CompleteShape, asked: CompleteShape): CompleteShape {
  return {
    indexes: [...kept.indexes, ...added(kept.indexes, asked.indexes, JSON.stringify)],
    sparse: [...kept.sparse, ...added(kept.sparse, asked.sparse, JSON.stringify)],
    totals: [...kept.totals, ...added(kept.totals, asked.totals, totalOf)],
  };
}

/** What `asked` has beyond `kept`, each once. */
function added<T>(kept: readonly T[], asked: readonly T[], nameOf: (one: T) => string): T[] {
  const names = new Set(kept.map(nameOf));
  return asked.filter((one) => !names.has(nameOf(one)) && names.add(nameOf(one)));
}

function pathsOf({ indexes, sparse, totals }: CompleteShape): string[] {
  return [...new Set([...indexes, ...sparse, ...totals].flat())].filter((path) => path !== 'id');
}

function create(sql: Statements, collection: string, paths: readonly string[]): void {
  const columns = paths.map((path) => `, ${columnOf(path)} generated always as ${extracted(path)} stored`);
  sql.db.exec(`create table ${tableOf(collection)} (id text primary key, position text not null, body text${columns.join('')})`);
}

/** SQLite adds no stored column to a table that exists; a virtual one is the same to whoever asks. */
function addColumns(sql: Statements, collection: string, paths: readonly string[]): void {
  for (const path of paths) {
    sql.db.exec(`alter table ${tableOf(collection)} add column ${columnOf(path)} generated always as ${extracted(path)} virtual`);
  }
}

function createIndex(sql: Statements, collection: string, paths: readonly string[]): void {
  indexOn(sql, collection, paths, `by ${paths.join(', ')}`, 'body is not null');
}

function createSparseIndex(sql: Statements, collection: string, paths: readonly string[]): void {
  const [path] = paths.slice(-2);
  indexOn(sql, collection, paths, `sparsely by ${paths.join(', ')}`, `body is not null and ${columnOf(path!)} is not null`);
}

/** The id comes last, so that the index holds the whole order of a list. */
function indexOn(sql: Statements, collection: string, paths: readonly string[], name: string, condition: string): void {
  const columns = [...new Set([...paths, 'id'])].map(columnOf).join(', ');
  sql.db.exec(`create index if not exists ${quoted(`${collection} ${name}`)} on ${tableOf(collection)} (${columns}) where ${condition}`);
}

/** Triggers keep the sizes, in the transaction of every save. */
function keepTotal(sql: Statements, collection: string, paths: readonly string[]): void {
  const total = totalOf(paths);
  const columns = [...paths].sort().map(columnOf);
  const group = (row: string) => `json_array(${columns.map((column) => row + column).join(', ')})`;
  const [table, name, key] = [tableOf(collection), `total of ${collection} by ${total}`, `${literal(collection)}, ${literal(total)}`];
  const more = `insert into totals values (${key}, ${group('new.')}, 1) on conflict do update set size = size + 1;`;
  const less = `update totals set size = size - 1 where (collection, paths, "values") = (${key}, ${group('old.')});`;
  sql.db.exec(`
    insert into totals select ${key}, ${group('')}, count(*) from ${table} where body is not null group by 3;
    create trigger ${quoted(`${name}: new`)} after insert on ${table} when new.body is not null begin ${more} end;
    create trigger ${quoted(`${name}: in`)} after update on ${table}
      when new.body is not null and (old.body is null or ${group('old.')} <> ${group('new.')}) begin ${more} end;
    create trigger ${quoted(`${name}: out`)} after update on ${table}
      when old.body is not null and (new.body is null or ${group('old.')} <> ${group('new.')}) begin ${less} end;
  `);
}

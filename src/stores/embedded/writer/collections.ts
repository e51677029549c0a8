import type { Shape } from '../../../kernel/read-models.js';
import { columnOf, extracted, literal, quoted, shapeOf, tableOf, totalOf } from '../collections.js';
import type { Statements } from '../sqlite.js';

const NOTHING: Shape = { indexes: [], totals: [] };

export function collectionOperations(sql: Statements) {
  return {
    prepare(collection: string, shape: Shape): void {
      const before = shapeOf(sql, collection);
      const after = joined(before ?? NOTHING, shape);
      if (before === null) create(sql, collection, pathsOf(after));
      else if (JSON.stringify(before) === JSON.stringify(after)) return;
      else
        addColumns(
          sql,
          collection,
          pathsOf(after).filter((path) => !pathsOf(before).includes(path)),
        );

      for (const paths of after.indexes) createIndex(sql, collection, paths);
      for (const paths of after.totals ?? [])
        if (!before?.totals?.some((kept) => totalOf(kept) === totalOf(paths))) keepTotal(sql, collection, paths);
      sql.run(
        'insert into collections (name, shape) values (?, ?) on conflict do update set shape = excluded.shape',
        collection,
        JSON.stringify(after),
      );
    },

    drop(collection: string): void {
      sql.db.exec(`drop table if exists ${tableOf(collection)}`);
      sql.run('delete from totals where collection = ?', collection);
      sql.run('delete from collections where name = ?', collection);
    },
  };
}

/** What is kept, and what is new in `asked`: an older process may still ask for less. */
function joined(kept: Shape, asked: Shape): Shape {
  return { indexes: union(kept.indexes, asked.indexes, JSON.stringify), totals: union(kept.totals ?? [], asked.totals ?? [], totalOf) };
}

function union(a: Shape['indexes'], b: Shape['indexes'], named: (paths: readonly string[]) => string): Shape['indexes'] {
  return [...new Map([...a, ...b].map((paths) => [named(paths), paths])).values()];
}

function pathsOf({ indexes, totals = [] }: Shape): string[] {
  return [...new Set([...indexes, ...totals].flat())].filter((path) => path !== 'id');
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

/** The id comes last, so that the index holds the whole order of a list. */
function createIndex(sql: Statements, collection: string, paths: readonly string[]): void {
  const name = quoted(`${collection} by ${paths.join(', ')}`);
  const columns = [...new Set([...paths, 'id'])].map(columnOf);
  sql.db.exec(`create index if not exists ${name} on ${tableOf(collection)} (${columns.join(', ')}) where body is not null`);
}

/** Triggers keep the sizes, in the transaction of every save. */
function keepTotal(sql: Statements, collection: string, paths: readonly string[]): void {
  const total = totalOf(paths);
  const group = (row: string) =>
    `json_array(${[...paths]
      .sort()
      .map((path) => `${row}${columnOf(path)}`)
      .join(', ')})`;
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

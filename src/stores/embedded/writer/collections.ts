import type { Position } from '../../../kernel/position.js';
import {
  columnOf,
  type CompleteSchema,
  EMPTY_SCHEMA,
  hourlyKeyOf,
  indexNameOf,
  listPaths,
  quoteIdentifier,
  readSchema,
  tableOf,
  toJsonLookup,
  totalKeyOf,
} from '../collections.js';
import type { Statements } from '../sqlite.js';
import { createHourlySizes, createTotal } from './sizes.js';

const SAVE_SCHEMA =
  'insert into collections (name, shape) values (?, ?) on conflict do update set shape = excluded.shape';

export function collectionOperations(sql: Statements) {
  return {
    ensureCollection(collection: string, asked: CompleteSchema): void {
      const kept = readSchema(sql, collection);
      const before = kept ?? EMPTY_SCHEMA;
      const after = mergeSchemas(before, asked);
      if (kept === null) createTable(sql, collection, listPaths(after));
      else addColumns(sql, collection, findMissing(listPaths(before), listPaths(after), String));
      indexTombstones(sql, collection);

      for (const paths of findMissing(before.indexes, after.indexes, JSON.stringify))
        createIndex(sql, collection, paths);
      for (const paths of findMissing(before.sparse, after.sparse, JSON.stringify))
        createSparseIndex(sql, collection, paths);
      for (const paths of findMissing(before.totals, after.totals, totalKeyOf)) createTotal(sql, collection, paths);
      for (const hourly of findMissing(before.hourly, after.hourly, hourlyKeyOf))
        createHourlySizes(sql, collection, hourly);
      if (JSON.stringify(after) !== JSON.stringify(kept)) sql.run(SAVE_SCHEMA, collection, JSON.stringify(after));
    },

    /** Deletes up to `rows` rows. Returns whether there may be more. */
    deleteSome(collection: string, rows: number): boolean {
      if (readSchema(sql, collection) === null) return false;
      const table = tableOf(collection);
      return sql.run(`delete from ${table} where rowid in (select rowid from ${table} limit ?)`, rows) === rows;
    },

    deleteTombstones(collection: string, upTo: Position, limit: number): number {
      if (readSchema(sql, collection) === null) return 0;
      const table = tableOf(collection);
      const oldest = `select rowid from ${table} where body is null and position <= ? order by position limit ?`;
      return sql.run(`delete from ${table} where rowid in (${oldest})`, upTo, limit);
    },

    dropCollection(collection: string): void {
      sql.db.exec(`drop table if exists ${tableOf(collection)}`);
      sql.run('delete from totals where collection = ?', collection);
      sql.run('delete from hourly_sizes where collection = ?', collection);
      sql.run('delete from collections where name = ?', collection);
      sql.run('delete from checkpoints where name = ?', collection);
    },
  };
}

/** Merges the stored schema with the requested one: an older process may request less. */
function mergeSchemas(kept: CompleteSchema, asked: CompleteSchema): CompleteSchema {
  return {
    indexes: [...kept.indexes, ...findMissing(kept.indexes, asked.indexes, JSON.stringify)],
    sparse: [...kept.sparse, ...findMissing(kept.sparse, asked.sparse, JSON.stringify)],
    totals: [...kept.totals, ...findMissing(kept.totals, asked.totals, totalKeyOf)],
    hourly: [...kept.hourly, ...findMissing(kept.hourly, asked.hourly, hourlyKeyOf)],
  };
}

/** Returns the items of `asked` that are missing in `kept`, without duplicates. */
function findMissing<T>(kept: readonly T[], asked: readonly T[], toName: (one: T) => string): T[] {
  const names = new Set(kept.map(toName));
  return asked.filter((one) => !names.has(toName(one)) && names.add(toName(one)));
}

function createTable(sql: Statements, collection: string, paths: readonly string[]): void {
  const columns = paths.map((path) => `, ${columnOf(path)} generated always as ${toJsonLookup(path)} stored`);
  sql.db.exec(
    `create table ${tableOf(collection)} (id text primary key, position text not null, body text${columns.join('')})`,
  );
}

/** SQLite cannot add a stored column to an existing table; a virtual one gives the same results. */
function addColumns(sql: Statements, collection: string, paths: readonly string[]): void {
  for (const path of paths) {
    sql.db.exec(
      `alter table ${tableOf(collection)} add column ${columnOf(path)} generated always as ${toJsonLookup(path)} virtual`,
    );
  }
}

function createIndex(sql: Statements, collection: string, paths: readonly string[]): void {
  createIndexOn(sql, collection, paths, indexNameOf(collection, paths), 'body is not null');
}

function createSparseIndex(sql: Statements, collection: string, paths: readonly string[]): void {
  const [path] = paths.slice(-2);
  createIndexOn(
    sql,
    collection,
    paths,
    quoteIdentifier(`${collection} sparsely by ${paths.join(', ')}`),
    `body is not null and ${columnOf(path!)} is not null`,
  );
}

function indexTombstones(sql: Statements, collection: string): void {
  const name = quoteIdentifier(`${collection} tombstones`);
  sql.db.exec(`create index if not exists ${name} on ${tableOf(collection)} (position) where body is null`);
}

/** The id is the last column, so that the index has the complete order of a list. */
function createIndexOn(
  sql: Statements,
  collection: string,
  paths: readonly string[],
  name: string,
  condition: string,
): void {
  const columns = [...new Set([...paths, 'id'])].map(columnOf).join(', ');
  sql.db.exec(`create index if not exists ${name} on ${tableOf(collection)} (${columns}) where ${condition}`);
}

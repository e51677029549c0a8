import type { Position } from '../../../kernel/position.js';
import { columnOf, extracted, hourlyOf, NOTHING, pathsOf, quoted, shapeOf, tableOf, totalOf, type CompleteShape } from '../collections.js';
import type { Statements } from '../sqlite.js';
import { keepHourly, keepTotal } from './sizes.js';

const KEEP_SHAPE = 'insert into collections (name, shape) values (?, ?) on conflict do update set shape = excluded.shape';

export function collectionOperations(sql: Statements) {
  return {
    prepare(collection: string, asked: CompleteShape): void {
      const kept = shapeOf(sql, collection);
      const before = kept ?? NOTHING;
      const after = joined(before, asked);
      if (kept === null) create(sql, collection, pathsOf(after));
      else addColumns(sql, collection, added(pathsOf(before), pathsOf(after), String));
      indexTombstones(sql, collection);

      for (const paths of added(before.indexes, after.indexes, JSON.stringify)) createIndex(sql, collection, paths);
      for (const paths of added(before.sparse, after.sparse, JSON.stringify)) createSparseIndex(sql, collection, paths);
      for (const paths of added(before.totals, after.totals, totalOf)) keepTotal(sql, collection, paths);
      for (const hourly of added(before.hourly, after.hourly, hourlyOf)) keepHourly(sql, collection, hourly);
      if (JSON.stringify(after) !== JSON.stringify(kept)) sql.run(KEEP_SHAPE, collection, JSON.stringify(after));
    },

    /** Deletes up to `rows` rows. Returns whether there may be more. */
    thin(collection: string, rows: number): boolean {
      if (shapeOf(sql, collection) === null) return false;
      const table = tableOf(collection);
      return sql.run(`delete from ${table} where rowid in (select rowid from ${table} limit ?)`, rows) === rows;
    },

    sweep(collection: string, upTo: Position, limit: number): number {
      if (shapeOf(sql, collection) === null) return 0;
      const table = tableOf(collection);
      const oldest = `select rowid from ${table} where body is null and position <= ? order by position limit ?`;
      return sql.run(`delete from ${table} where rowid in (${oldest})`, upTo, limit);
    },

    drop(collection: string): void {
      sql.db.exec(`drop table if exists ${tableOf(collection)}`);
      sql.run('delete from totals where collection = ?', collection);
      sql.run('delete from hourly_sizes where collection = ?', collection);
      sql.run('delete from collections where name = ?', collection);
      sql.run('delete from checkpoints where name = ?', collection);
    },
  };
}

/** Merges the stored schema with the requested one: an older process may request less. */
function joined(kept: CompleteShape, asked: CompleteShape): CompleteShape {
  return {
    indexes: [...kept.indexes, ...added(kept.indexes, asked.indexes, JSON.stringify)],
    sparse: [...kept.sparse, ...added(kept.sparse, asked.sparse, JSON.stringify)],
    totals: [...kept.totals, ...added(kept.totals, asked.totals, totalOf)],
    hourly: [...kept.hourly, ...added(kept.hourly, asked.hourly, hourlyOf)],
  };
}

/** Returns the items of `asked` that are missing in `kept`, without duplicates. */
function added<T>(kept: readonly T[], asked: readonly T[], nameOf: (one: T) => string): T[] {
  const names = new Set(kept.map(nameOf));
  return asked.filter((one) => !names.has(nameOf(one)) && names.add(nameOf(one)));
}

function create(sql: Statements, collection: string, paths: readonly string[]): void {
  const columns = paths.map((path) => `, ${columnOf(path)} generated always as ${extracted(path)} stored`);
  sql.db.exec(`create table ${tableOf(collection)} (id text primary key, position text not null, body text${columns.join('')})`);
}

/** SQLite cannot add a stored column to an existing table; a virtual one gives the same results. */
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

function indexTombstones(sql: Statements, collection: string): void {
  const name = quoted(`${collection} tombstones`);
  sql.db.exec(`create index if not exists ${name} on ${tableOf(collection)} (position) where body is null`);
}

/** The id is the last column, so that the index has the complete order of a list. */
function indexOn(sql: Statements, collection: string, paths: readonly string[], name: string, condition: string): void {
  const columns = [...new Set([...paths, 'id'])].map(columnOf).join(', ');
  sql.db.exec(`create index if not exists ${quoted(`${collection} ${name}`)} on ${tableOf(collection)} (${columns}) where ${condition}`);
}

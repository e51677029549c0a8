import type { SQLInputValue } from 'node:sqlite';
import type { Clock } from '../../kernel/clock.js';
import { isScalar } from '../../kernel/conditions.js';
import type { Position } from '../../kernel/position.js';
import {
  type CollectionSchema,
  type FindQuery,
  JsonDocument,
  ReadModels,
  type Row,
  type Slice,
  type Where,
} from '../../kernel/read-models.js';
import { type Collection, CollectionCache, findTotal, tableOf, toGroups } from './collections.js';
import type { CommitQueue } from './commit-queue.js';
import { findHourlySizes } from './hourly-sizes.js';
import { readBodies } from './query.js';
import type { ReadThread } from './read-threads/read-thread.js';
import type { ReadThreads } from './read-threads/read-threads.js';
import type { Reader } from './reader.js';
import { findIndex, readSlice, type SliceRows } from './slices.js';
import { isMissingTable, LIMIT, type Statements } from './sqlite.js';
import type { DocumentRow } from './writer/documents.js';

const ROWS_PER_DELETE = 200;
const MAX_SKIPPED = 1_000;
/** The main thread reads so many rows itself: to wake another thread costs more. */
const MAX_READ_HERE = 200;
const EMPTY_SLICE: SliceRows = { bodies: [], next: null };

export class EmbeddedReadModels extends ReadModels {
  private readonly collections = new CollectionCache();

  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly readThreads: ReadThreads,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * Ignores `bulk` and maintains indexes from the first row: creating an index of a large table would hold the only
   * lock for seconds.
   */
  ensureCollection(
    collection: string,
    { indexes, sparse = [], totals = [], hourly = [] }: CollectionSchema,
  ): Promise<void> {
    return this.queue.run('ensureCollection', collection, { indexes, sparse, totals, hourly });
  }

  /**
   * Deletes rows in small steps, because every page is overwritten; between the steps, other writers get as much
   * time.
   */
  async dropCollection(collection: string): Promise<void> {
    for (let more = true; more;) {
      const began = this.clock.monotonic();
      more = await this.queue.run('deleteSome', collection, ROWS_PER_DELETE);
      if (more) await this.clock.sleep(this.clock.monotonic() - began);
    }
    await this.queue.run('dropCollection', collection);
  }

  async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    const [condition, value] =
      ids.length === 1 ? ['= ?', ids[0]!] : ['in (select value from json_each(?))', JSON.stringify(ids)];
    const text = `select id, position, body from ${tableOf(collection)} where id ${condition}`;
    return (await this.readRows(text, value)).map(toRow);
  }

  override loadUnparsed<D extends object>(collection: string, id: string): Promise<D | JsonDocument | null> {
    return this.reader.read((sql) => {
      const row = readOrEmpty(undefined, () =>
        sql.get<Pick<DocumentRow, 'body'>>(`select body from ${tableOf(collection)} where id = ?`, id),
      );
      return typeof row?.body === 'string' ? new JsonDocument(row.body) : null;
    });
  }

  async scan(collection: string, above: string | null, limit: number): Promise<Row[]> {
    const text = `select id, position, body from ${tableOf(collection)} where id > ? order by id ${LIMIT}`;
    return (await this.readRows(text, above ?? '', limit)).map(toRow);
  }

  async upsert(collection: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    await this.queue.run('upsert', collection, rows.map(toDocumentRow));
  }

  compareAndSet(collection: string, row: Row, expected: Position): Promise<boolean> {
    return this.queue.run('compareAndSet', collection, toDocumentRow(row), expected);
  }

  deleteTombstones(collection: string, upTo: Position, limit: number): Promise<number> {
    return this.queue.run('deleteTombstones', collection, upTo, limit);
  }

  async find<D extends object>(collection: string, find: FindQuery): Promise<D[]> {
    return (await this.findBodies(collection, find)).map((body) => JSON.parse(body) as D);
  }

  override async findUnparsed(collection: string, find: FindQuery): Promise<JsonDocument[]> {
    return (await this.findBodies(collection, find)).map((body) => new JsonDocument(body));
  }

  override async findSlice<D extends object>(collection: string, find: FindQuery): Promise<Slice<D>> {
    const slice = await this.withCollection<'short' | 'long' | SliceRows>(collection, EMPTY_SLICE, (sql, known) => {
      if (isFewRows(known, find)) return readSlice(sql, known, find);
      return findIndex(known, find) === undefined ? 'long' : 'short';
    });
    const { bodies, next } =
      typeof slice === 'string' ? await this.threadFor(slice).run('readSlice', collection, find) : slice;
    return { documents: bodies.map((body) => JSON.parse(body) as D), next };
  }

  async count(collection: string, where: Where): Promise<number> {
    const size = await this.withCollection<number | 'short' | 'long'>(collection, 0, (sql, known) => {
      const total = findTotal(known, where);
      if (total !== undefined) return readTotal(sql, known, total, where);
      return findHourlySizes(known, where) === undefined ? 'long' : 'short';
    });
    if (typeof size === 'number') return size;
    return this.threadFor(size).run('count', collection, where);
  }

  private async findBodies(collection: string, find: FindQuery): Promise<readonly string[]> {
    const bodies = await this.withCollection<'short' | 'long' | string[]>(collection, [], (sql, known) => {
      if (isFewRows(known, find)) return readBodies(sql, known, find);
      return isBounded(known, find) ? 'short' : 'long';
    });
    return typeof bodies === 'string' ? this.threadFor(bodies).run('find', collection, find) : bodies;
  }

  private threadFor(cost: 'short' | 'long'): ReadThread {
    return cost === 'short' ? this.readThreads.bounded : this.readThreads.scans;
  }

  /** Reads rows by their ids. */
  private readRows(text: string, ...values: SQLInputValue[]): Promise<DocumentRow[]> {
    return this.reader.read((sql) => readOrEmpty([], () => sql.all<DocumentRow>(text, ...values)));
  }

  /** Reads a missing collection as empty. */
  private withCollection<T>(collection: string, empty: T, work: (sql: Statements, known: Collection) => T): Promise<T> {
    return this.reader.read((sql) => {
      const known = this.collections.find(sql, collection);
      return known === undefined ? empty : work(sql, known);
    });
  }
}

/** A missing table reads as empty. */
function readOrEmpty<T>(empty: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isMissingTable(error)) return empty;
    throw error;
  }
}

function toRow({ id, position, body }: DocumentRow): Row {
  return { id, position, document: body === null ? null : (JSON.parse(body) as object) };
}

function toDocumentRow({ id, position, document }: Row): DocumentRow {
  return { id, position, body: document && JSON.stringify(document) };
}

/** Returns whether a complete index limits the query to a page of rows. */
function isFewRows(collection: Collection, { where, orderBy, offset = 0, limit }: FindQuery): boolean {
  if (offset + limit > MAX_READ_HERE) return false;
  const paths = Object.keys(where).filter((path) => path !== orderBy);
  const isFixed = paths.every((path) => isScalar(where[path]!));
  return isFixed && findIndex(collection, { where, orderBy })?.length === paths.length + 1;
}

/** Returns whether hourly sizes or a complete index bound the cost of the query. */
function isBounded(collection: Collection, { where, orderBy, offset = 0 }: FindQuery): boolean {
  if (findHourlySizes(collection, where, orderBy) !== undefined) return true;
  if (offset > MAX_SKIPPED) return false;
  const paths = Object.keys(where).filter((path) => path !== orderBy);
  return findIndex(collection, { where, orderBy })?.length === paths.length + 1;
}

function readTotal(sql: Statements, { name }: Collection, total: string, where: Where): number {
  const groups = toGroups(where, JSON.parse(total) as readonly string[]);
  // SQLite finds a single value in a third of the time that it needs for a list.
  const [condition, values] =
    groups.length === 1 ? ['= ?', groups[0]!] : ['in (select value from json_each(?))', JSON.stringify(groups)];
  const text = `select coalesce(sum(size), 0) as size from totals
    where collection = ? and paths = ? and "values" ${condition}`;
  return sql.get<{ size: number }>(text, name, total, values)!.size;
}

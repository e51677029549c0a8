import type { Clock } from '../../kernel/clock.js';
import { START, type Position } from '../../kernel/position.js';
import {
  ReadModels,
  type CatalogueEntry,
  type Find,
  type Row,
  type Scalar,
  type Shape,
  type Slice,
  type Where,
} from '../../kernel/read-models.js';
import { Collections, tableOf, totalFor, type Collection } from './collections.js';
import type { CommitQueue } from './commit-queue.js';
import { hourlyFor } from './hours.js';
import { cellOf } from './query.js';
import type { Reader } from './reader.js';
import type { Reading } from './reading/reading.js';
import { indexOf } from './slices.js';
import type { Statements } from './sqlite.js';
import type { DocumentRow } from './writer/documents.js';

const ROWS_THINNED = 200;
const MAX_SKIPPED = 1_000;

interface EntryRow extends Omit<CatalogueEntry, 'value'> {
  readonly value: string;
}

export class EmbeddedReadModels extends ReadModels {
  private readonly collections = new Collections();

  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly reading: Reading,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * Ignores `bulk` and maintains indexes from the first row: creating an index of a large table would hold the only
   * lock for seconds.
   */
  prepare(collection: string, { indexes, sparse = [], totals = [], hourly = [] }: Shape): Promise<void> {
    return this.queue.run('prepare', collection, { indexes, sparse, totals, hourly });
  }

  /**
   * Deletes rows in small steps, because every page is overwritten; between the steps, other writers get as much
   * time.
   */
  async drop(collection: string): Promise<void> {
    for (let more = true; more;) {
      const began = this.clock.monotonic();
      more = await this.queue.run('thin', collection, ROWS_THINNED);
      if (more) await this.clock.sleep(this.clock.monotonic() - began);
    }
    await this.queue.run('drop', collection);
  }

  async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    const text = `select id, position, body from ${tableOf(collection)} where id in (select value from json_each(?))`;
    return (await this.within(collection, [], (sql) => sql.all<DocumentRow>(text, JSON.stringify(ids)))).map(rowIn);
  }

  async page(collection: string, above: string | null, limit: number): Promise<Row[]> {
    const text = `select id, position, body from ${tableOf(collection)} where id > ? order by id limit ?`;
    return (await this.within(collection, [], (sql) => sql.all<DocumentRow>(text, above ?? '', limit))).map(rowIn);
  }

  async save(collection: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    await this.queue.run('save', collection, rows.map(documentRow));
  }

  replace(collection: string, row: Row, expected: Position): Promise<boolean> {
    return this.queue.run('replace', collection, documentRow(row), expected);
  }

  sweep(collection: string, upTo: Position, limit: number): Promise<number> {
    return this.queue.run('sweep', collection, upTo, limit);
  }

  async find<D extends object>(collection: string, find: Find): Promise<D[]> {
    const isShort = await this.within(collection, true, (_, known) => isBounded(known, find));
    const bodies = await (isShort ? this.reading.lists : this.reading.walks).run('find', collection, find);
    return bodies.map((body) => JSON.parse(body) as D);
  }

  override async slice<D extends object>(collection: string, find: Find): Promise<Slice<D>> {
    const isWalked = await this.within(collection, true, (_, known) => indexOf(known, find) !== undefined);
    const { bodies, next } = await (isWalked ? this.reading.lists : this.reading.walks).run('slice', collection, find);
    return { documents: bodies.map((body) => JSON.parse(body) as D), next };
  }

  async count(collection: string, where: Where): Promise<number> {
    const size = await this.within<number | 'short' | 'long'>(collection, 0, (sql, known) => {
      const total = totalFor(known, where);
      if (total !== undefined) return kept(sql, known, total, where);
      return hourlyFor(known, where) === undefined ? 'long' : 'short';
    });
    if (typeof size === 'number') return size;
    return (size === 'short' ? this.reading.lists : this.reading.walks).run('count', collection, where);
  }

  async catalogue(): Promise<CatalogueEntry[]> {
    const rows = await this.reader.read((sql) => sql.all<EntryRow>('select name, revision, value from catalogue order by name'));
    return rows.map(({ name, revision, value }) => ({ name, revision, value: JSON.parse(value) as object }));
  }

  enter(name: string, expected: number, value: object): Promise<boolean> {
    return this.queue.run('enter', name, expected, JSON.stringify(value));
  }

  async checkpoint(name: string): Promise<Position> {
    const row = await this.reader.read((sql) => sql.get<{ position: Position }>('select position from checkpoints where name = ?', name));
    return row?.position ?? START;
  }

  async checkpointNames(): Promise<string[]> {
    const rows = await this.reader.read((sql) => sql.all<{ name: string }>('select name from checkpoints order by name'));
    return rows.map(({ name }) => name);
  }

  advance(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    return this.queue.run('advance', checkpoints);
  }

  rewind(names: readonly string[], to: Position): Promise<void> {
    return this.queue.run('rewind', names, to);
  }

  lease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    return this.queue.run('lease', name, holder, ttlMs, this.clock.now());
  }

  release(name: string, holder: string): Promise<void> {
    return this.queue.run('giveUp', name, holder);
  }

  /** Reads a missing collection as empty. */
  private within<T>(collection: string, empty: T, work: (sql: Statements, known: Collection) => T): Promise<T> {
    return this.reader.read((sql) => {
      const known = this.collections.find(sql, collection);
      return known === undefined ? empty : work(sql, known);
    });
  }
}

function rowIn({ id, position, body }: DocumentRow): Row {
  return { id, position, document: body === null ? null : (JSON.parse(body) as object) };
}

function documentRow({ id, position, document }: Row): DocumentRow {
  return { id, position, body: document && JSON.stringify(document) };
}

/** Returns whether hourly sizes or a complete index bound the cost of the query. */
function isBounded(collection: Collection, { where, orderBy, offset = 0 }: Find): boolean {
  if (hourlyFor(collection, where, orderBy) !== undefined) return true;
  if (offset > MAX_SKIPPED) return false;
  const paths = Object.keys(where).filter((path) => path !== orderBy);
  return indexOf(collection, { where, orderBy })?.length === paths.length + 1;
}

function kept(sql: Statements, { name }: Collection, total: string, where: Where): number {
  const paths = JSON.parse(total) as readonly string[];
  const values = JSON.stringify(paths.map((path) => cellOf(where[path] as Scalar)));
  const row = sql.get<{ size: number }>('select size from totals where collection = ? and paths = ? and "values" = ?', name, total, values);
  return row?.size ?? 0;
}

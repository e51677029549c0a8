import type { Clock } from '../../kernel/clock.js';
import { START, type Position } from '../../kernel/position.js';
import { ReadModels, type Find, type Row, type Scalar, type Shape, type Where } from '../../kernel/read-models.js';
import { Collections, tableOf, totalFor, type Collection } from './collections.js';
import type { CommitQueue } from './commit-queue.js';
import { cellOf, listed, matching } from './query.js';
import type { Reader } from './reader.js';
import type { Statements } from './sqlite.js';

interface DocumentRow {
  readonly id: string;
  readonly position: Position;
  readonly body: string | null;
}

export class EmbeddedReadModels extends ReadModels {
  private readonly collections = new Collections();

  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
    private readonly clock: Clock,
  ) {
    super();
  }

  prepare(collection: string, { indexes, totals = [] }: Shape): Promise<void> {
    return this.queue.run('prepare', collection, { indexes, totals });
  }

  drop(collection: string): Promise<void> {
    return this.queue.run('drop', collection);
  }

  async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    const text = `select id, position, body from ${tableOf(collection)} where id in (select value from json_each(?))`;
    const rows = await this.within(collection, [], (sql) => sql.all<DocumentRow>(text, JSON.stringify(ids)));
    return rows.map(({ id, position, body }) => ({ id, position, document: body === null ? null : (JSON.parse(body) as object) }));
  }

  async save(collection: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const kept = rows.map(({ id, position, document }) => ({ id, position, body: document && JSON.stringify(document) }));
    await this.queue.run('save', collection, kept);
  }

  find<D extends object>(collection: string, find: Find): Promise<D[]> {
    return this.within(collection, [], (sql, known) => {
      const documents: D[] = [];
      for (const { text, values } of listed(known, find)) {
        const left = find.limit - documents.length;
        const rows = left > 0 ? sql.all<{ body: string }>(text, ...values, left, find.offset ?? 0) : [];
        documents.push(...rows.map(({ body }) => JSON.parse(body) as D));
      }
      return documents;
    });
  }

  count(collection: string, where: Where): Promise<number> {
    return this.within(collection, 0, (sql, known) => {
      const total = totalFor(known, where);
      return total === undefined ? counted(sql, known, where) : kept(sql, known, total, where);
    });
  }

  async checkpoint(name: string): Promise<Position> {
    const row = await this.reader.read((sql) => sql.get<{ position: Position }>('select position from checkpoints where name = ?', name));
    return row?.position ?? START;
  }

  advance(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    return this.queue.run('advance', checkpoints);
  }

  lease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    return this.queue.run('lease', name, holder, ttlMs, this.clock.now());
  }

  release(name: string, holder: string): Promise<void> {
    return this.queue.run('release', name, holder);
  }

  /** A collection that nobody has prepared yet reads as empty. */
  private within<T>(collection: string, empty: T, work: (sql: Statements, known: Collection) => T): Promise<T> {
    return this.reader.read((sql) => {
      const known = this.collections.find(sql, collection);
      return known === undefined ? empty : work(sql, known);
    });
  }
}

function counted(sql: Statements, collection: Collection, where: Where): number {
  const { text, values } = matching(collection, where);
  return sql.get<{ size: number }>(`select count(*) as size from ${tableOf(collection.name)} where ${text}`, ...values)!.size;
}

function kept(sql: Statements, { name }: Collection, total: string, where: Where): number {
  const paths = JSON.parse(total) as readonly string[];
  const values = JSON.stringify(paths.map((path) => cellOf(where[path] as Scalar)));
  const row = sql.get<{ size: number }>('select size from totals where collection = ? and paths = ? and "values" = ?', name, total, values);
  return row?.size ?? 0;
}

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

const MAX_STATEMENTS = 500;

const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
const NOT_SQLITE = 0;
/** Error, too big, constraint, mismatch, misuse and range. */
const USAGE_ERRORS = [NOT_SQLITE, 1, 18, 19, 20, 21, 25];

/**
 * Limits a query to the number of a parameter. SQLite would prepare a statement again for every number that is bound
 * to a bare parameter here; it does not for an expression.
 */
export const LIMIT = 'limit +?';

/** Limits a list to a number that SQLite knows when it chooses between the indexes. */
export function toLimit(rows: number): string {
  return `limit ${Math.trunc(rows)}`;
}

export type Cells = Record<string, SQLOutputValue>;

/** Prepares each statement once per SQL text. */
export class Statements {
  private readonly prepared = new Map<string, StatementSync>();

  constructor(readonly db: DatabaseSync) {}

  all<R extends object = Cells>(sql: string, ...values: SQLInputValue[]): R[] {
    return this.prepare(sql).all(...values) as unknown as R[];
  }

  get<R extends object = Cells>(sql: string, ...values: SQLInputValue[]): R | undefined {
    return this.prepare(sql).get(...values) as unknown as R | undefined;
  }

  /** Returns the number of changed rows, without those that triggers changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  /** Returns the id of the new row. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).lastInsertRowid);
  }

  private prepare(sql: string): StatementSync {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;

    if (this.prepared.size >= MAX_STATEMENTS) this.prepared.clear();
    const statement = this.db.prepare(sql);
    this.prepared.set(sql, statement);
    return statement;
  }
}

/** Returns whether another process holds the lock, so that a retry can succeed. */
export function isBusy(error: unknown): boolean {
  return [SQLITE_BUSY, SQLITE_LOCKED].includes(readErrorCode(error));
}

/** Returns whether the disk is full: the data is intact, and writes succeed again when there is space. */
export function isFull(error: unknown): boolean {
  return readErrorCode(error) === SQLITE_FULL;
}

/** Returns whether the disk or the file has failed: this connection guarantees nothing any more. */
export function isFinal(error: unknown): boolean {
  return [SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_NOTADB].includes(readErrorCode(error));
}

export function isMissingTable(error: unknown): boolean {
  return readErrorCode(error) === SQLITE_ERROR && /^no such table: /.test((error as Error).message);
}

/**
 * Returns whether the statement or its values are wrong, or the error is not from SQLite. All other failures may be
 * temporary.
 */
export function isUsageError(error: unknown): boolean {
  return USAGE_ERRORS.includes(readErrorCode(error));
}

/**
 * Returns the primary error code: `code` is the same for every error of node:sqlite, and the upper bits hold only
 * details.
 */
function readErrorCode(error: unknown): number {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 255 : 0;
}

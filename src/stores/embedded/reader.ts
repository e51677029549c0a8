import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { openForReading } from './schema.js';
import { isBusy, isFinal, isUsageError, Statements } from './sqlite.js';

const RETRY_DELAY_MS = 2;
const MAX_ATTEMPTS = 500;

/**
 * Reads in the calling thread. No read transaction outlives its call, so none prevents SQLite from resetting the
 * write-ahead log.
 */
export class Reader {
  private readonly db: DatabaseSync;
  private readonly statements: Statements;

  /**
   * @param onFatal called when the file cannot be read any more and only a restart can help
   * @throws StoreUnavailable
   */
  constructor(
    file: string,
    private readonly onFatal: (error: Error) => void = () => undefined,
  ) {
    try {
      this.db = openForReading(file);
    } catch (error) {
      throw this.toStoreError(error);
    }
    this.statements = new Statements(this.db);
  }

  get isOpen(): boolean {
    return this.db.isOpen;
  }

  /** @throws StoreUnavailable */
  async read<T>(work: (sql: Statements) => T): Promise<T> {
    for (let tries = 1; ; tries++) {
      if (!this.isOpen) throw new StoreUnavailable('the store is closed', false);
      try {
        return work(this.statements);
      } catch (error) {
        if (!isBusy(error)) throw this.toStoreError(error);
        if (tries === MAX_ATTEMPTS) throw new StoreUnavailable('the store is busy', false, { cause: error });
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  /** Reads at once; null when the store is closed or busy. @throws StoreUnavailable */
  tryRead<T>(work: (sql: Statements) => T): T | null {
    if (!this.isOpen) return null;
    try {
      return work(this.statements);
    } catch (error) {
      if (isBusy(error)) return null;
      throw this.toStoreError(error);
    }
  }

  private toStoreError(error: unknown): unknown {
    if (isFinal(error)) this.onFatal(error as Error);
    return isUsageError(error) ? error : new StoreUnavailable((error as Error).message, false, { cause: error });
  }

  close(): void {
    if (this.isOpen) this.db.close();
  }
}

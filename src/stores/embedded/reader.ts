import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { openForReading } from './schema.js';
import { isBusy, isFinal, isMistake, Statements } from './sqlite.js';

const BUSY_MS = 2;
const MAX_TRIES = 500;

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
      throw this.judge(error);
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
        if (!isBusy(error)) throw this.judge(error);
        if (tries === MAX_TRIES) throw new StoreUnavailable('the store is busy', false, { cause: error });
        await delay(BUSY_MS);
      }
    }
  }

  private judge(error: unknown): unknown {
    if (isFinal(error)) this.onFatal(error as Error);
    return isMistake(error) ? error : new StoreUnavailable((error as Error).message, false, { cause: error });
  }

  close(): void {
    if (this.isOpen) this.db.close();
  }
}

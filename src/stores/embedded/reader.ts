import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { openForReading } from './schema.js';
import { isBusy, isFinal, isMistake, Statements } from './sqlite.js';

const BUSY_MS = 2;
const MAX_TRIES = 500;

/** Reads at once, in the thread that asks. No read outlives its call, so none keeps the write-ahead log from beginning anew. */
export class Reader {
  private readonly db: DatabaseSync;
  private readonly statements: Statements;

  /**
   * @param onFatal the file cannot be read any more: nothing but a new start helps
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

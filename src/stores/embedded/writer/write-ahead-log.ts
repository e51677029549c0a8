import { isFinal, type Statements } from '../sqlite.js';
import type { Call } from './operations.js';

const PAGE_KIB = 4;
const IDLE_PAGES = (4 * 1024) / PAGE_KIB;
const BUSY_PAGES = (16 * 1024) / PAGE_KIB;
const MAX_PAGES = (64 * 1024) / PAGE_KIB;

/**
 * Checkpoints the write-ahead log between commits, never within one. After a complete checkpoint SQLite overwrites
 * the log from its start. This keeps the log short and fast: appending to a file costs more at every fsync than
 * overwriting it.
 */
export class WriteAheadLog {
  /** The log may still hold destroyed values; so may the log of a killed process, hence the initial value. */
  private mustTruncate = true;

  constructor(private readonly sql: Statements) {}

  onCommit(calls: readonly Call[]): void {
    this.mustTruncate ||= calls.some(([name]) => name === 'destroy');
    const pages = this.countPages();
    if (pages >= MAX_PAGES) this.runWalCheckpoint('truncate');
    else if (pages >= BUSY_PAGES) this.runWalCheckpoint('passive');
  }

  onIdle(): void {
    if (this.mustTruncate) this.mustTruncate = !this.runWalCheckpoint('truncate');
    else if (this.countPages() >= IDLE_PAGES) this.runWalCheckpoint('passive');
  }

  /** Returns the number of pages in the log since the last complete checkpoint. */
  private countPages(): number {
    const { log, checkpointed } = this.sql.get<{ log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')!;
    return log === checkpointed ? 0 : log;
  }

  /**
   * Returns whether the checkpoint is complete. If another process blocks it or the disk is full, a later call
   * repeats it without loss.
   */
  private runWalCheckpoint(mode: 'passive' | 'truncate'): boolean {
    try {
      return this.sql.get<{ busy: number }>(`pragma wal_checkpoint(${mode})`)!.busy === 0;
    } catch (error) {
      if (isFinal(error)) throw error;
      return false;
    }
  }
}

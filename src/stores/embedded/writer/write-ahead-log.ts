import { isFinal, type Statements } from '../sqlite.js';
import type { Call } from './operations.js';

const PAGE_KIB = 4;
const IDLE_PAGES = (4 * 1024) / PAGE_KIB;
const BUSY_PAGES = (16 * 1024) / PAGE_KIB;
const MAX_PAGES = (64 * 1024) / PAGE_KIB;

/**
 * Moves what has been committed into the file, between commits and never within one. A log that is moved whole begins anew in place,
 * which keeps it short, and faster than one that grows: appending to a file costs more at every fsync than overwriting it.
 */
export class WriteAheadLog {
  /** It may still hold what has been destroyed; so may the one that a killed process left. */
  private mustForget = true;

  constructor(private readonly sql: Statements) {}

  /** Behind a commit. */
  afterCommit(calls: readonly Call[]): void {
    this.mustForget ||= calls.some(([name]) => name === 'destroy');
    const pages = this.pages();
    if (pages >= MAX_PAGES) this.move('truncate');
    else if (pages >= BUSY_PAGES) this.move('passive');
  }

  whenIdle(): void {
    if (this.mustForget) this.mustForget = !this.move('truncate');
    else if (this.pages() >= IDLE_PAGES) this.move('passive');
  }

  /** What has been committed since all was in the file. */
  private pages(): number {
    const { log, checkpointed } = this.sql.get<{ log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')!;
    return log === checkpointed ? 0 : log;
  }

  /** Whether it went through. Nothing is lost when another process is in the way or the disk is full: the next occasion comes. */
  private move(mode: 'passive' | 'truncate'): boolean {
    try {
      return this.sql.get<{ busy: number }>(`pragma wal_checkpoint(${mode})`)!.busy === 0;
    } catch (error) {
      if (isFinal(error)) throw error;
      return false;
    }
  }
}

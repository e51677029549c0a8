import type { Statements } from '../sqlite.js';
import { sleepSync } from './busy-retry.js';
import type { Call } from './operations.js';

const BULK_ROWS = 500;
const RECENT_MS = 10_000;

/**
 * Yields the lock after a bulk write for as long as the write took, so that other processes that write to the file do
 * not starve.
 */
export class FairLocking {
  private version: number;
  private lastOtherCommit = -Infinity;

  constructor(private readonly sql: Statements) {
    this.version = this.readDataVersion();
  }

  /** Called after a commit that held the lock for `heldMs`. */
  yieldLock(calls: readonly Call[], heldMs: number): void {
    const version = this.readDataVersion();
    if (version !== this.version) this.lastOtherCommit = performance.now();
    this.version = version;
    if (calls.some(isBulk) && performance.now() - this.lastOtherCommit < RECENT_MS) sleepSync(heldMs);
  }

  /** Reads a version that only the commits of other processes change. */
  private readDataVersion(): number {
    return this.sql.get<{ data_version: number }>('pragma data_version')!.data_version;
  }
}

function isBulk([, ...args]: Call): boolean {
  return args.some((argument) => Array.isArray(argument) && argument.length >= BULK_ROWS);
}

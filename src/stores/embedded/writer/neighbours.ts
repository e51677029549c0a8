import type { Statements } from '../sqlite.js';
import type { Call } from './operations.js';
import { sleep } from './patience.js';

const BULK_ROWS = 500;
const LATELY_MS = 10_000;

/**
 * Yields the lock after a bulk write for as long as the write took, so that other processes that write to the file do
 * not starve.
 */
export class Neighbours {
  private version: number;
  private seen = -Infinity;

  constructor(private readonly sql: Statements) {
    this.version = this.current();
  }

  /** Called after a commit that held the lock for `heldMs`. */
  makeRoom(calls: readonly Call[], heldMs: number): void {
    const version = this.current();
    if (version !== this.version) this.seen = performance.now();
    this.version = version;
    if (calls.some(isBulk) && performance.now() - this.seen < LATELY_MS) sleep(heldMs);
  }

  /** Reads a version that only the commits of other processes change. */
  private current(): number {
    return this.sql.get<{ data_version: number }>('pragma data_version')!.data_version;
  }
}

function isBulk([, ...args]: Call): boolean {
  return args.some((argument) => Array.isArray(argument) && argument.length >= BULK_ROWS);
}

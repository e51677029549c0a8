import type { Statements } from '../sqlite.js';
import type { Call } from './operations.js';
import { sleep } from './patience.js';

const BULK_ROWS = 500;
const LATELY_MS = 10_000;

/** Other processes that write the same file: behind a bulk write they are left as much time as it took, so that none starves. */
export class Neighbours {
  private version: number;
  private seen = -Infinity;

  constructor(private readonly sql: Statements) {
    this.version = this.current();
  }

  /** Behind a commit that held the lock for `heldMs`. */
  makeRoom(calls: readonly Call[], heldMs: number): void {
    const version = this.current();
    if (version !== this.version) this.seen = performance.now();
    this.version = version;
    if (calls.some(isBulk) && performance.now() - this.seen < LATELY_MS) sleep(heldMs);
  }

  /** Changes only with the commits of others. */
  private current(): number {
    return this.sql.get<{ data_version: number }>('pragma data_version')!.data_version;
  }
}

function isBulk([, ...args]: Call): boolean {
  return args.some((argument) => Array.isArray(argument) && argument.length >= BULK_ROWS);
}

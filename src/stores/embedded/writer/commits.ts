import { isFinal, isMistake, type Statements } from '../sqlite.js';
import { operations, perform, type Call, type Operations, type Outcome } from './operations.js';
import { patiently } from './patience.js';

/** Group commit: what is there once the lock is ours goes into one transaction, and is answered behind its fsync. */
export class Commits {
  private readonly operations: Operations;

  constructor(private readonly sql: Statements) {
    this.operations = operations(sql);
  }

  /**
   * @param take called with the lock held: the calls of this commit, at least one
   * @throws when the disk or the file failed: nothing more can be promised
   */
  commit(take: () => readonly Call[]): Outcome[] {
    try {
      patiently(() => this.sql.run('begin immediate'));
    } catch (error) {
      if (isFinal(error)) throw error;
      return take().map(() => failed(error));
    }
    return this.together(take());
  }

  /** A group that fails is run again call by call, so that nobody pays for a neighbour: none has been answered yet. */
  private together(calls: readonly Call[]): Outcome[] {
    try {
      const outcomes = calls.map((call) => ({ value: perform(this.operations, call) }));
      this.sql.run('commit');
      return outcomes;
    } catch (error) {
      if (isFinal(error)) throw error;
      if (this.sql.db.isTransaction) this.sql.run('rollback');
      return calls.length === 1 ? [failed(error)] : calls.flatMap((call) => this.commit(() => [call]));
    }
  }
}

function failed(error: unknown): Outcome {
  return { failure: error instanceof Error ? error.message : String(error), unavailable: !isMistake(error) };
}

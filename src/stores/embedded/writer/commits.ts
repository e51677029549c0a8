import { isFinal, isUsageError, type Statements } from '../sqlite.js';
import { retryWhileBusy } from './busy-retry.js';
import { type Call, createOperations, type Operations, type Outcome, perform } from './operations.js';

/**
 * Group commit: all calls that are waiting when the writer gets the lock run in one transaction, and get their
 * outcomes after its fsync.
 */
export class Commits {
  private readonly operations: Operations;

  constructor(private readonly sql: Statements) {
    this.operations = createOperations(sql);
  }

  /**
   * @param take called while the lock is held; returns the calls of this commit, at least one
   * @throws when the disk or the file has failed
   */
  commit(take: () => readonly Call[]): Outcome[] {
    try {
      retryWhileBusy(() => this.sql.run('begin immediate'));
    } catch (error) {
      if (isFinal(error)) throw error;
      return take().map(() => toFailure(error));
    }
    return this.runTogether(take());
  }

  /**
   * Runs a failed group again call by call, so that one call does not fail the others: no outcome has been returned
   * yet.
   */
  private runTogether(calls: readonly Call[]): Outcome[] {
    try {
      const outcomes = calls.map((call) => ({ value: perform(this.operations, call) }));
      this.sql.run('commit');
      return outcomes;
    } catch (error) {
      if (isFinal(error)) throw error;
      if (this.sql.db.isTransaction) this.sql.run('rollback');
      return calls.length === 1 ? [toFailure(error)] : calls.flatMap((call) => this.commit(() => [call]));
    }
  }
}

function toFailure(error: unknown): Outcome {
  return { failure: error instanceof Error ? error.message : String(error), unavailable: !isUsageError(error) };
}

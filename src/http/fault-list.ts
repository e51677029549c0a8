import type { Fault } from '../kernel/rejection.js';

/** The maximum number of errors in a problem document. */
export const LISTED_FAULTS = 100;

/** Field errors in the order in which they are found. Only the first `MAX_LISTED_ERRORS` are kept; all are counted. */
export class FaultList {
  readonly kept: Fault[] = [];
  readonly codes = new Set<string>();
  count = 0;

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      this.count++;
      this.codes.add(fault.code);
      if (this.kept.length < LISTED_FAULTS) this.kept.push(fault);
    }
  }

  /** Counts errors that are not listed. Their codes must already be in the list. */
  addMore(count: number): void {
    this.count += count;
  }
}

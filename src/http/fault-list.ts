import type { Fault } from '../kernel/rejection.js';

/** A problem document lists so many errors at most. */
export const LISTED_FAULTS = 100;

/** Faults in the order in which they are found. Only the first are kept; the others are counted. */
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

  /** More of a kind of which as many as are listed have been added. */
  addMore(count: number): void {
    this.count += count;
  }
}

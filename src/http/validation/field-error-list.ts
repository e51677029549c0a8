import type { FieldError } from '../../kernel/rejection.js';

/** The maximum number of errors in a problem document. */
export const MAX_LISTED_ERRORS = 100;

/** Field errors in the order in which they are found. Only the first `MAX_LISTED_ERRORS` are kept; all are counted. */
export class FieldErrorList {
  readonly listed: FieldError[] = [];
  readonly codes = new Set<string>();
  count = 0;

  add(...errors: readonly FieldError[]): void {
    for (const error of errors) {
      this.count++;
      this.codes.add(error.code);
      if (this.listed.length < MAX_LISTED_ERRORS) this.listed.push(error);
    }
  }

  /** Counts errors that are not listed. Their codes must already be in the list. */
  addUnlisted(count: number): void {
    this.count += count;
  }
}

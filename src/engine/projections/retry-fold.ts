import { StoreUnavailable } from '../../kernel/event-store.js';

const TRIES = 3;

type FoldResult<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Runs a projection function up to three times and returns its value or its last error.
 * @throws StoreUnavailable, which is not an error of the projection: an event of newer code is such a case
 */
export function retryFold<T>(work: () => T): FoldResult<T> {
  let failure: unknown;
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return { value: work() };
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      failure = error;
    }
  }
  return { error: failure };
}

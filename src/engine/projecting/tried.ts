import { StoreUnavailable } from '../../kernel/event-store.js';

const TRIES = 3;

type Tried<T> = { readonly value: T } | { readonly error: unknown };

/** A map's own failure, after a few tries. @throws StoreUnavailable, which is not one: an event of newer code is such a case */
export function tried<T>(work: () => T): Tried<T> {
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

const TRIES = 3;

type Tried<T> = { readonly value: T } | { readonly error: unknown };

/** A map's own failure, and not the store's: a few tries, then it is a fact. */
export function tried<T>(work: () => T): Tried<T> {
  let failure: unknown;
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return { value: work() };
    } catch (error) {
      failure = error;
    }
  }
  return { error: failure };
}

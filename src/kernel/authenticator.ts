import type { Caller } from './caller.js';

/** Authenticates requests by their `Authorization` header. */
export abstract class Authenticator {
  /** Checks, without a lookup, that the header contains what can be a credential. @throws Rejection 401 */
  abstract assertForm(authorization: string): void;
  /** Returns the caller of the credential. @throws Rejection 401, or 503 while it cannot be verified */
  abstract authenticate(authorization: string | undefined): Promise<Caller>;
}

/** A key within its scope: the business and mode, or the user. */
export interface IdempotencyKey {
  readonly scope: string;
  readonly key: string;
}

export interface Claim {
  /** Digest of method, path, raw body and, for a session, the actor. */
  readonly fingerprint: string;
  readonly leaseMs: number;
  readonly holder: string;
}

export type Begun =
  /** Ours to run. A resumed unknown outcome has the command id and time of its first run, and a `run` of its own: 1 at first. */
  | { readonly status: 'started'; readonly commandId: string; readonly at: number; readonly run: number }
  | { readonly status: 'completed'; readonly answer: StoredAnswer }
  | { readonly status: 'in_progress' }
  | { readonly status: 'conflict' };

/** A 2xx as it was answered; personal fields still sealed, secrets left out. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

/** A claim as it is kept, whoever holds it. */
export interface KeptClaim extends IdempotencyKey {
  readonly fingerprint: string;
  readonly commandId: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly run: number;
  /** Null while the outcome is not known. */
  readonly answer: StoredAnswer | null;
}

export abstract class Idempotency {
  /** Takes the key, or says why not. Completed answers are kept for 24 hours from their beginning. */
  abstract begin(key: IdempotencyKey, claim: Claim): Promise<Begun>;
  /**
   * Keeps the answer of the command, unless another run of it was quicker. Returns the one that is kept: the only answer that any request
   * under the key may have. A claim that has gone to another command keeps nothing, and the given answer is returned.
   */
  abstract finish(key: IdempotencyKey, commandId: string, answer: StoredAnswer): Promise<StoredAnswer>;
  /** Frees the key after a refusal, if the claim is still held by this run of this command id. */
  abstract forget(key: IdempotencyKey, commandId: string, run: number): Promise<void>;
  /** Gives this run's lease up and keeps the claim: the outcome is not known, the next request under the key resumes it. */
  abstract abandon(key: IdempotencyKey, commandId: string, run: number): Promise<void>;
  /** Those of the last 24 hours, in an order of the store's own; behind `after`, or from the first on. */
  abstract claims(after: IdempotencyKey | null, limit: number): Promise<KeptClaim[]>;
  /** Keeps claims as they were in another store, with their age, held by nobody. A key that is taken stays as it is. */
  abstract restore(claims: readonly KeptClaim[]): Promise<void>;
}

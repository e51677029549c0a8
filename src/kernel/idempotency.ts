/** A key within its scope: the business and mode, or the user. */
export interface IdempotencyKey {
  readonly scope: string;
  readonly key: string;
}

export interface ClaimRequest {
  /** Digest of method, path, raw body and, for a session, the actor. */
  readonly fingerprint: string;
  readonly leaseMs: number;
  readonly holder: string;
}

export type ClaimResult =
  /**
   * The caller runs the command. A resumed claim keeps the command id and time of its first run; `run` counts the
   * runs from 1.
   */
  | { readonly status: 'started'; readonly commandId: string; readonly at: number; readonly run: number }
  | { readonly status: 'completed'; readonly response: StoredResponse }
  | { readonly status: 'in_progress' }
  | { readonly status: 'conflict' };

/** A 2xx response as it was sent, with encrypted personal fields and without secrets. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

export interface StoredClaim extends IdempotencyKey {
  readonly fingerprint: string;
  readonly commandId: string;
  /** When its first run began, in milliseconds since 1970. */
  readonly at: number;
  readonly run: number;
  /** Null while the outcome is unknown. */
  readonly response: StoredResponse | null;
}

export abstract class Idempotency {
  /** Claims the key, or returns why it cannot be claimed. Responses are stored for 24 hours from the first run. */
  abstract claim(key: IdempotencyKey, request: ClaimRequest): Promise<ClaimResult>;
  /**
   * Stores the response of the command, unless another run has stored one. Returns the stored response: the only one
   * that any request with the key may get. If the claim belongs to another command, it stores nothing and returns the
   * given response.
   */
  abstract complete(key: IdempotencyKey, commandId: string, response: StoredResponse): Promise<StoredResponse>;
  /** Frees the key after a rejection, if this run of this command still holds the claim. */
  abstract release(key: IdempotencyKey, commandId: string, run: number): Promise<void>;
  /**
   * Ends the lease of this run and keeps the claim: the outcome is unknown, and the next request with the key resumes
   * it.
   */
  abstract suspend(key: IdempotencyKey, commandId: string, run: number): Promise<void>;
  /** Lists the claims of the last 24 hours in the store's own order, from the first one or after `after`. */
  abstract listClaims(after: IdempotencyKey | null, limit: number): Promise<StoredClaim[]>;
  /** Stores the claims of another store with their age and without a holder. An existing key stays unchanged. */
  abstract restore(claims: readonly StoredClaim[]): Promise<void>;
}

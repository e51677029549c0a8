export interface ClientOptions {
  /** The address of the service, for example `https://api.example.com`. */
  readonly baseUrl: string;
  /** An API key, a session token or a cart token, or a function that returns the current one. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** The business for which a session acts. A key always acts for its own business. */
  readonly businessId?: string;
  /** The mode in which a session acts. A key has a fixed mode. */
  readonly mode?: 'live' | 'test';
  /** The limit for one attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** How often a request is repeated at most. Default: 5. */
  readonly maxRetries?: number;
  /** The pause before the first repetition, in milliseconds. It doubles with each repetition. Default: 500. */
  readonly backoffMs?: number;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options of one call. They replace those of the client. */
export interface RequestOptions extends Partial<Omit<ClientOptions, 'baseUrl' | 'fetch'>> {
  /** Identifies a POST, so that the service runs it once. Default: a new random key for each call. */
  readonly idempotencyKey?: string;
  /** Cancels the call and its repetitions. */
  readonly signal?: AbortSignal;
}

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
  /** Called before each attempt. An error that it throws ends the call. */
  readonly onRequest?: (attempt: SentAttempt) => void;
  /** Called after each attempt, also without a response. An error that it throws ends the call. */
  readonly onResponse?: (attempt: EndedAttempt) => void;
  /** Names the application in the `User-Agent` header. Browsers send their own. */
  readonly appInfo?: AppInfo;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options of one call. They replace those of the client. */
export interface RequestOptions extends Partial<Omit<ClientOptions, 'baseUrl' | 'appInfo' | 'fetch'>> {
  /** Identifies a POST, so that the service runs it once. Default: a new random key for each call. */
  readonly idempotencyKey?: string;
  /** Cancels the call and its repetitions. */
  readonly signal?: AbortSignal;
}

export interface AppInfo {
  readonly name: string;
  readonly version?: string;
  /** Where the application is described. */
  readonly url?: string;
}

/** One HTTP request of a call. It never has the API key. */
export interface SentAttempt {
  readonly method: string;
  /** With the query, which may contain personal data. */
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
}

export interface EndedAttempt extends SentAttempt {
  /** Until the whole response was read. For a stream or a file: until it began. */
  readonly durationMs: number;
  /** Null without a complete response. */
  readonly status: number | null;
  /** Names the request in the logs of the service. */
  readonly requestId: string | null;
  /** Why there is no complete response: a ConnectionError, or the reason of the signal. */
  readonly error?: unknown;
}

/** @throws TypeError for options with which no call can succeed */
export function checkOptions({ baseUrl, apiKey }: ClientOptions): void {
  checkBaseUrl(baseUrl);
  if (typeof apiKey !== 'function') checkCredential(apiKey, 'apiKey');
}

function checkBaseUrl(baseUrl: unknown): void {
  if (typeof baseUrl !== 'string' || baseUrl === '') {
    throw new TypeError('baseUrl is missing: pass the address of the service, such as https://api.example.com');
  }
  const { protocol, username, password, search, hash } = parseUrl(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`baseUrl must begin with https:// or http://: ${baseUrl}`);
  if (username + password + search + hash !== '') {
    throw new TypeError('baseUrl must not contain a user, a password, a query or a fragment');
  }
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new TypeError(`baseUrl is not a URL such as https://api.example.com: ${text}`);
  }
}

/** Returns the credential. The messages do not repeat it, because logs keep them. @throws TypeError */
export function checkCredential(credential: unknown, source: string): string {
  if (typeof credential !== 'string' || credential.trim() === '') {
    const hint = 'an API key or a token is required; is the environment variable set?';
    throw new TypeError(`${source} is ${credential === '' ? 'empty' : 'missing'}: ${hint}`);
  }
  if (/[^\x21-\x7e]/.test(credential.trim())) {
    throw new TypeError(`${source} contains a space or another character that no API key or token has`);
  }
  return credential;
}

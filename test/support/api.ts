/** A response of the service. `body` is the parsed JSON, or null if the text is not JSON. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test knows the shape that it expects
  readonly body: any;
  readonly text: string;
}

export type RequestHeaders = Readonly<Record<string, string>>;

/** The latest Consistency-Token of several clients: what one of them writes, the others read. */
export class SharedConsistency {
  token: string | null = null;
}

/**
 * A client with one credential. It never throws for an error status: a test checks the status. It throws for a problem
 * whose code the operation does not declare.
 */
export class Api {
  private readonly base: string;
  private readonly headers: RequestHeaders;
  private readonly consistency: SharedConsistency | null;

  constructor(
    base: string,
    credential: string | null = null,
    headers: RequestHeaders = {},
    consistency: SharedConsistency | null = null,
  ) {
    this.base = base;
    this.consistency = consistency;
    this.headers = credential === null ? headers : { authorization: `Bearer ${credential}`, ...headers };
  }

  /** Returns a client with the same credential that adds these headers to every request. */
  withHeaders(headers: RequestHeaders): Api {
    return new Api(this.base, null, { ...this.headers, ...headers }, this.consistency);
  }

  get(path: string, headers?: RequestHeaders): Promise<ApiResponse> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: RequestHeaders): Promise<ApiResponse> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body?: unknown, headers?: RequestHeaders): Promise<ApiResponse> {
    return this.send('PATCH', path, body, headers);
  }

  put(path: string, body?: unknown, headers?: RequestHeaders): Promise<ApiResponse> {
    return this.send('PUT', path, body, headers);
  }

  delete(path: string, headers?: RequestHeaders): Promise<ApiResponse> {
    return this.send('DELETE', path, undefined, headers);
  }

  send(method: string, path: string, body?: unknown, headers: RequestHeaders = {}): Promise<ApiResponse> {
    return body === undefined
      ? this.sendRequest({ method }, path, headers)
      : this.sendText(method, path, JSON.stringify(body), headers);
  }

  /** Sends a JSON text unchanged. */
  sendText(method: string, path: string, body: string, headers: RequestHeaders = {}): Promise<ApiResponse> {
    return this.sendRequest({ method, body }, path, { 'content-type': 'application/json', ...headers });
  }

  private async sendRequest(init: RequestInit, path: string, headers: RequestHeaders): Promise<ApiResponse> {
    const token = this.consistency?.token ?? null;
    const shared = token === null ? {} : { 'consistency-token': token };
    const response = await fetch(this.base + path, { ...init, headers: { ...shared, ...this.headers, ...headers } });
    const text = await readText(response);
    const written = response.headers.get('consistency-token');
    if (this.consistency !== null && written !== null) this.consistency.token = written;
    const body = parseJson(text);
    if (response.status >= 400) await checkCode(init.method!, path, body);
    return { status: response.status, headers: response.headers, body, text };
  }
}

/** Returns the body's `data`; throws unless the status is a 2xx. */
export function requireData(reply: ApiResponse): ApiResponse['body'] {
  if (reply.status >= 200 && reply.status < 300) return reply.body.data;
  throw new Error(`Expected a 2xx, got ${reply.status}: ${reply.text}`);
}

/** A stream of events has no end, so it is not read. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body?.cancel();
  return '';
}

/** @throws Error when the operation does not declare the code of the problem. */
async function checkCode(method: string, path: string, body: unknown): Promise<void> {
  const { code } = (body ?? {}) as { readonly code?: string };
  // Only a test can load the application: the tour is a script without Jest. A test without a problem need not.
  if (code === undefined || !('expect' in globalThis)) return;
  const { recordAnswer } = await import('./answered-codes.js');
  recordAnswer(method, path, code);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

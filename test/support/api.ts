/** An answer of the service, as it came. `body` is the parsed JSON, or null without one. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say themselves what they expect in it
  readonly body: any;
  readonly text: string;
}

export type RequestHeaders = Readonly<Record<string, string>>;

/** A client with one credential. Never throws for a refusal: a test looks at the status. */
export class Api {
  private readonly base: string;
  private readonly headers: RequestHeaders;

  constructor(base: string, credential: string | null = null, headers: RequestHeaders = {}) {
    this.base = base;
    this.headers = credential === null ? headers : { authorization: `Bearer ${credential}`, ...headers };
  }

  /** The same credential, with headers that every request carries. */
  with(headers: RequestHeaders): Api {
    return new Api(this.base, null, { ...this.headers, ...headers });
  }

  get(path: string, headers?: RequestHeaders): Promise<Reply> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: RequestHeaders): Promise<Reply> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body?: unknown, headers?: RequestHeaders): Promise<Reply> {
    return this.send('PATCH', path, body, headers);
  }

  put(path: string, body?: unknown, headers?: RequestHeaders): Promise<Reply> {
    return this.send('PUT', path, body, headers);
  }

  delete(path: string, headers?: RequestHeaders): Promise<Reply> {
    return this.send('DELETE', path, undefined, headers);
  }

  send(method: string, path: string, body?: unknown, headers: RequestHeaders = {}): Promise<Reply> {
    return body === undefined ? this.fetched({ method }, path, headers) : this.sendText(method, path, JSON.stringify(body), headers);
  }

  /** A body of JSON as it is written. */
  sendText(method: string, path: string, body: string, headers: RequestHeaders = {}): Promise<Reply> {
    return this.fetched({ method, body }, path, { 'content-type': 'application/json', ...headers });
  }

  private async fetched(init: RequestInit, path: string, headers: RequestHeaders): Promise<Reply> {
    const response = await fetch(this.base + path, { ...init, headers: { ...this.headers, ...headers } });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text), text };
  }
}

/** The body's `data` of an answer that must be a 2xx; what was answered instead is in the error. */
export function dataOf(reply: Reply): Reply['body'] {
  if (reply.status >= 200 && reply.status < 300) return reply.body.data;
  throw new Error(`Expected a 2xx, got ${reply.status}: ${reply.text}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

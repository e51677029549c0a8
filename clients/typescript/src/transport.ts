import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { ConsistencyTokens } from './consistency.ts';
import { EventStream } from './event-stream.ts';
import { type Exchange, exchange } from './exchange.ts';
import type * as T from './generated/types.gen.ts';
import {
  type CursorList,
  findNextPage,
  findNextSlice,
  type List,
  ListPromise,
  type PageList,
  type Query,
} from './lists.ts';
import { checkCredential, type ClientOptions, type RequestOptions } from './options.ts';
import { ApiError } from './problems.ts';
import { readResponse } from './responses.ts';
import { pause, pauseAfter } from './retries.ts';
import { createUserAgent } from './user-agent.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 5;
const BACKOFF_MS = 500;
const JSON_TYPE = 'application/json';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: object;
  readonly body?: unknown;
  /** True when the service runs a repeated POST with the same key once. */
  readonly isKeyed?: boolean;
  /** Whether the body of a success is left to the caller. */
  readonly isUnread?: boolean;
  /** The media type of the response. Default: JSON. */
  readonly accept?: string;
}

type Settings = ClientOptions & RequestOptions;
/** @throws the error of the response */
type Reader<R> = (exchange: Exchange) => R;

/** Sends requests: adds the headers, repeats what may be repeated, and reads the responses. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #consistency = new ConsistencyTokens();
  readonly #userAgent: string | null;

  constructor(options: ClientOptions) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
    this.#userAgent = createUserAgent(options.appInfo);
  }

  call<R>(request: ApiRequest, options?: RequestOptions): ApiPromise<R> {
    const response = this.#send(request, options, readJson<{ readonly data: R }>);
    return new ApiPromise(() => response.then((each) => ({ ...each, data: each.data.data })));
  }

  listPages<R>(request: ApiRequest, options?: RequestOptions): PageList<R> {
    return new ListPromise((next) => this.#list<R, T.PagePagination>(request, options, next), findNextPage);
  }

  listSlices<R>(request: ApiRequest, options?: RequestOptions): CursorList<R> {
    return new ListPromise((next) => this.#list<R, T.CursorPagination>(request, options, next), findNextSlice);
  }

  stream(request: ApiRequest, options: RequestOptions = {}): EventStream {
    const opening = { ...request, accept: 'text/event-stream' };
    return new EventStream(async (lastEventId, signal) => {
      const headers = { ...(options.headers ?? this.#options.headers), ...toLastEventHeader(lastEventId) };
      const { body } = await this.open(opening, { ...options, headers, signal, maxRetries: 0 });
      return body ?? new Blob([]).stream();
    }, options.signal);
  }

  /** Returns a success as soon as its headers have arrived. */
  async open(request: ApiRequest, options?: RequestOptions): Promise<Response> {
    // Without the slash, a path such as "@host" would send the credential to another host.
    if (!request.path.startsWith('/')) throw new TypeError(`The path must begin with "/": ${request.path}`);
    return this.#send({ accept: '*/*', ...request, isUnread: true }, options, readUnread);
  }

  #list<R, P>(request: ApiRequest, options: RequestOptions | undefined, next: Query = {}) {
    return this.#send({ ...request, query: { ...request.query, ...next } }, options, readJson<List<R, P>>);
  }

  /** Every attempt has the same bytes and the same Idempotency-Key. */
  async #send<R>(request: ApiRequest, options: RequestOptions | undefined, read: Reader<R>): Promise<R> {
    const settings: Settings = { ...this.#options, ...omitUndefined(options) };
    const { maxRetries = MAX_RETRIES, backoffMs = BACKOFF_MS } = settings;
    const isRepeatable = request.method !== 'POST' || request.isKeyed === true;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const idempotencyKey = request.method === 'POST' ? (settings.idempotencyKey ?? crypto.randomUUID()) : null;
    const headers = this.#createHeaders(request, settings, body !== null);
    if (idempotencyKey !== null) headers.set('Idempotency-Key', encodeHeader(idempotencyKey));
    for (let attempt = 1; ; attempt++) {
      try {
        return read(await this.#attempt(request, settings, { headers, body }, attempt));
      } catch (error) {
        const milliseconds = pauseAfter(error, attempt - 1, { maxRetries, backoffMs, isRepeatable });
        if (error instanceof ApiError) error.idempotencyKey = idempotencyKey;
        if (milliseconds === null) throw error;
        await pause(milliseconds, settings.signal);
      }
    }
  }

  #createHeaders(request: ApiRequest, settings: Settings, hasBody: boolean): Headers {
    const headers = new Headers({ ...this.#options.headers, ...settings.headers });
    if (!headers.has('Accept')) headers.set('Accept', request.accept ?? JSON_TYPE);
    if (this.#userAgent !== null && !headers.has('User-Agent')) headers.set('User-Agent', this.#userAgent);
    if (hasBody) headers.set('Content-Type', JSON_TYPE);
    if (settings.businessId !== undefined) headers.set('X-Service-Business-Id', settings.businessId);
    if (settings.mode !== undefined) headers.set('X-Service-Mode', settings.mode);
    const tokens = request.method === 'GET' ? this.#consistency.header : null;
    if (tokens !== null) headers.set('Consistency-Token', tokens);
    return headers;
  }

  async #attempt(
    { method, path, query, isUnread = false }: ApiRequest,
    settings: Settings,
    { headers, body }: { readonly headers: Headers; readonly body: string | null },
    attempt: number,
  ): Promise<Exchange> {
    headers.set('Authorization', `Bearer ${await readCredential(settings)}`);
    const startedAt = this.#consistency.start();
    const sent = { method, url: settings.baseUrl + path + toSearch(path, query), attempt };
    const init = { method, headers, body, redirect: 'manual' } as const;
    const result = await exchange(sent, init, { ...settings, isUnread, timeoutMs: settings.timeoutMs ?? TIMEOUT_MS });
    const token = result.headers.get('consistency-token');
    if (token !== null && method !== 'GET') this.#consistency.record(token, startedAt);
    return result;
  }
}

function readJson<R>(received: Exchange): ApiResponse<R> {
  return readResponse<R>(received, received.request);
}

function readUnread(received: Exchange): Response {
  if (!received.response.ok) readResponse(received, received.request);
  return received.response;
}

async function readCredential({ apiKey }: Settings): Promise<string> {
  return typeof apiKey === 'string' ? apiKey : checkCredential(await apiKey(), 'The result of the function apiKey');
}

function toLastEventHeader(lastEventId: string | null): Record<string, string> {
  return lastEventId === null ? {} : { 'Last-Event-ID': lastEventId };
}

/** An option that is passed as undefined does not replace that of the client. */
function omitUndefined(options: RequestOptions = {}): RequestOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** A list becomes a repeated parameter. */
function toSearch(path: string, query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const each of [value].flat()) search.append(name, String(each));
  }
  return search.size === 0 ? '' : `${path.includes('?') ? '&' : '?'}${search.toString()}`;
}

/** The service reads the bytes of the key as UTF-8, and a header has one byte for each character. */
function encodeHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

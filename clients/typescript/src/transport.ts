import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { ConsistencyTokens } from './consistency.ts';
import { EventStream } from './event-stream.ts';
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
import type { ClientOptions, RequestOptions } from './options.ts';
import { ApiError, ConnectionError, UnexpectedResponseError } from './problems.ts';
import { readResponse } from './responses.ts';
import { pause, pauseAfter } from './retries.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 5;
const BACKOFF_MS = 500;

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: object;
  readonly body?: unknown;
  /** True when the service runs a repeated POST with the same key once. */
  readonly isKeyed?: boolean;
}

type Settings = ClientOptions & RequestOptions;

/** Sends requests: adds the headers, repeats what may be repeated, and reads the responses. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #consistency = new ConsistencyTokens();

  constructor(options: ClientOptions) {
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
  }

  call<R>(request: ApiRequest, options?: RequestOptions): ApiPromise<R> {
    const response = this.#send<{ readonly data: R }>(request, options);
    return new ApiPromise(() => response.then((each) => ({ ...each, data: each.data.data })));
  }

  listPages<R>(request: ApiRequest, options?: RequestOptions): PageList<R> {
    const fetchPage = (next?: Query) => this.#send<List<R, T.PagePagination>>(addToQuery(request, next), options);
    return new ListPromise(fetchPage, findNextPage);
  }

  listSlices<R>(request: ApiRequest, options?: RequestOptions): CursorList<R> {
    const fetchSlice = (next?: Query) => this.#send<List<R, T.CursorPagination>>(addToQuery(request, next), options);
    return new ListPromise(fetchSlice, findNextSlice);
  }

  stream(request: ApiRequest, options?: RequestOptions): EventStream {
    const settings: Settings = { ...this.#options, ...options };
    return new EventStream(
      (lastEventId, signal) => this.#openStream(request, settings, lastEventId, signal),
      settings.signal,
    );
  }

  /** `fetch` ends the opening of a silent connection by the signal. */
  async #openStream(request: ApiRequest, settings: Settings, lastEventId: string | null, signal: AbortSignal) {
    const headers = this.#createHeaders(request, settings, false);
    headers.set('Accept', 'text/event-stream');
    if (lastEventId !== null) headers.set('Last-Event-ID', lastEventId);
    headers.set('Authorization', `Bearer ${await readCredential(settings)}`);
    const { fetch = globalThis.fetch } = settings;
    const address = settings.baseUrl + request.path + toSearch(request.query);
    const failed = (cause: unknown) => {
      throw new ConnectionError(`${request.method} ${request.path} got no response`, { cause });
    };
    const response = await fetch(address, { headers, redirect: 'manual', signal }).catch(failed);
    if (response.status === 200 && response.body !== null) return response.body;
    readResponse(await readWhole(response).catch(failed));
    throw new UnexpectedResponseError(response.status, response.headers, '');
  }

  /** Every attempt has the same bytes and the same Idempotency-Key. */
  async #send<R>(request: ApiRequest, options?: RequestOptions): Promise<ApiResponse<R>> {
    const settings: Settings = { ...this.#options, ...options };
    const { maxRetries = MAX_RETRIES, backoffMs = BACKOFF_MS } = settings;
    const isRepeatable = request.method !== 'POST' || request.isKeyed === true;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const idempotencyKey = request.method === 'POST' ? (settings.idempotencyKey ?? crypto.randomUUID()) : null;
    const headers = this.#createHeaders(request, settings, body !== null);
    if (idempotencyKey !== null) headers.set('Idempotency-Key', encodeHeader(idempotencyKey));
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt<R>(request, settings, headers, body);
      } catch (error) {
        const milliseconds = pauseAfter(error, attempt, { maxRetries, backoffMs, isRepeatable });
        if (error instanceof ApiError) error.idempotencyKey = idempotencyKey;
        if (milliseconds === null) throw error;
        await pause(milliseconds, settings.signal);
      }
    }
  }

  #createHeaders(request: ApiRequest, settings: Settings, hasBody: boolean): Headers {
    const headers = new Headers({ ...this.#options.headers, ...settings.headers, Accept: 'application/json' });
    if (hasBody) headers.set('Content-Type', 'application/json');
    if (settings.businessId !== undefined) headers.set('X-Service-Business-Id', settings.businessId);
    if (settings.mode !== undefined) headers.set('X-Service-Mode', settings.mode);
    const tokens = request.method === 'GET' ? this.#consistency.header : null;
    if (tokens !== null) headers.set('Consistency-Token', tokens);
    return headers;
  }

  async #attempt<R>(request: ApiRequest, settings: Settings, headers: Headers, body: string | null) {
    const { signal, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch } = settings;
    headers.set('Authorization', `Bearer ${await readCredential(settings)}`);
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    const startedAt = this.#consistency.start();
    const response = await fetchText(fetch, settings.baseUrl + request.path + toSearch(request.query), {
      method: request.method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    }).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new ConnectionError(`${request.method} ${request.path} got no response`, { cause });
    });
    const token = response.headers.get('consistency-token');
    if (token !== null && request.method !== 'GET') this.#consistency.record(token, startedAt);
    return readResponse<R>(response);
  }
}

/** Reads the whole response, so that an error in its body is an error of the attempt. */
async function fetchText(fetch: typeof globalThis.fetch, address: string, init: RequestInit) {
  return readWhole(await fetch(address, init));
}

async function readWhole(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function readCredential({ apiKey }: Settings): string | Promise<string> {
  return typeof apiKey === 'string' ? apiKey : apiKey();
}

function addToQuery(request: ApiRequest, next: Query = {}): ApiRequest {
  return { ...request, query: { ...request.query, ...next } };
}

/** A list becomes a repeated parameter. */
function toSearch(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const each of [value].flat()) search.append(name, String(each));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** The service reads the bytes of the key as UTF-8, and a header has one byte for each character. */
function encodeHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

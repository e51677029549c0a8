import { readResponse } from '../../../clients/typescript/src/responses.ts';
import { Transport } from '../../../clients/typescript/src/transport.ts';
import { endSession, getSession, type Session } from '../session/session';
import { ProblemError } from './problem';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;
export type Item = Readonly<Record<string, unknown>>;

export interface Page<T = Item> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly current_page?: number;
    readonly total_pages?: number;
    readonly total_count?: number;
    readonly next_cursor?: string | null;
    readonly has_more?: boolean;
  };
}

export interface CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** The same key for each repetition of one intent, so that a repeated request changes nothing again. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** The user repeats what fails for longer than a moment. */
const MAX_RETRIES = 1;

/** Calls an operation of the API and returns its data. @throws the errors of the typed client */
export async function call<T = Item>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const { query, body, ...rest } = options;
  const isKeyed = method === 'POST';
  return endOnExpiry(transport().call<T>({ method, path, query: omitEmpty(query), body, isKeyed }, rest));
}

/** Returns one page of a list of the API. */
export async function callList<T = Item>(path: string, { query, signal }: CallOptions = {}): Promise<Page<T>> {
  const options = signal === undefined ? {} : { signal };
  return endOnExpiry(transport().listPages<T>({ method: 'GET', path, query: omitEmpty(query) }, options));
}

/** Calls the operators' port, whose responses have no envelope. */
export async function callOperations<T = Item>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  const received = { status: response.status, headers: response.headers, text: await response.text() };
  return endOnExpiry(Promise.resolve().then(() => readResponse<T>(received, `${method} ${path}`).data));
}

/** Sends one request and returns the whole response: for files and streams. */
export async function send(method: Method, path: string, { query, body, signal }: CallOptions = {}): Promise<Response> {
  const search = new URLSearchParams(
    Object.entries(omitEmpty(query)).flatMap(([name, value]) => [value].flat().map((one) => [name, one as string])),
  );
  return fetch(search.size === 0 ? path : `${path}?${search.toString()}`, {
    method,
    signal,
    headers: { ...createSessionHeaders(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** Shows a request as a curl command that the reader can repeat; the credential stays out of it. */
export function toCurl(method: Method, path: string, body?: unknown): string {
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  return `curl${verb} ${window.location.origin}${path} -H "Authorization: Bearer $API_KEY"${data}`;
}

let current: { readonly session: Session | null; readonly transport: Transport } | null = null;

/** The client of the session. It remembers the writes of the session, so that reads show them. */
function transport(): Transport {
  const session = getSession();
  if (current?.session !== session) current = { session, transport: createTransport(session) };
  return current.transport;
}

function createTransport(session: Session | null): Transport {
  const { credential = '', kind, mode, business } = session ?? {};
  const acting = kind === 'token' ? { mode, ...(business ? { businessId: business.id } : {}) } : {};
  return new Transport({ baseUrl: window.location.origin, apiKey: credential, maxRetries: MAX_RETRIES, ...acting });
}

function createSessionHeaders(): Record<string, string> {
  const session = getSession();
  if (session === null) return {};
  const authorization = { authorization: `Bearer ${session.credential}` };
  if (session.kind !== 'token') return authorization;
  const { mode, business } = session;
  return { ...authorization, 'x-service-mode': mode, ...(business ? { 'x-service-business-id': business.id } : {}) };
}

/** A credential that has ended signs the user out; the page stays, and shows itself again after signing in. */
async function endOnExpiry<T>(response: PromiseLike<T>): Promise<T> {
  const used = getSession();
  try {
    return await response;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) endSession(used);
    throw error;
  }
}

function omitEmpty(query: Query = {}): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));
}

import { getSession, setSession } from '../session/session';
import { type Problem, ProblemError } from './problem';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;
export type Item = Readonly<Record<string, unknown>>;

export interface Page {
  readonly data: readonly Item[];
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

/** Calls the API with the credential of the session. Throws a `ProblemError` when the service refuses. */
export async function call<T = { readonly data: Item }>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const response = await send(method, path, options);
  const answer = (await response.json().catch(() => null)) as T | Problem | null;
  if (response.ok) return answer as T;
  if (response.status === 401) setSession(null);
  throw new ProblemError(answer === null ? toUnknownProblem(response) : (answer as Problem));
}

export async function send(
  method: Method,
  path: string,
  { query, body, idempotencyKey, signal }: CallOptions = {},
): Promise<Response> {
  return fetch(`${path}${formatQuery(query)}`, {
    method,
    signal,
    headers: {
      ...createSessionHeaders(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

export function createSessionHeaders(): Record<string, string> {
  const session = getSession();
  if (session === null) return {};
  const authorization = { authorization: `Bearer ${session.credential}` };
  if (session.kind !== 'token') return authorization;
  return {
    ...authorization,
    'x-service-mode': session.mode,
    ...(session.business === null ? {} : { 'x-service-business-id': session.business.id }),
  };
}

export function formatQuery(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) if (one !== '') search.append(name, one);
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** Shows a request as a curl command that the reader can repeat; the credential stays out of it. */
export function toCurl(method: Method, path: string, body?: unknown): string {
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  return `curl${verb} ${window.location.origin}${path} -H "Authorization: Bearer $API_KEY"${data}`;
}

function toUnknownProblem(response: Response): Problem {
  return {
    title: response.statusText || 'The request failed',
    detail: `The service answered ${response.status} without a problem document.`,
    code: 'unknown',
    status: response.status,
    request_id: response.headers.get('x-request-id'),
    errors: [],
  };
}

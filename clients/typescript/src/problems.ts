import { type ConnectionFault, explainFailure } from './connection-faults.ts';
import type * as T from './generated/types.gen.ts';

/** Names the reason of a rejection. Codes are stable: programs may compare them. */
export type ProblemCode = T.Problem['code'];

/** The problem document of the service (RFC 9457). */
export interface Problem<C extends ProblemCode = ProblemCode> {
  /** The address of a page that explains the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: C;
  readonly errors: readonly ProblemItem[];
  readonly detail?: string;
  readonly request_id?: string;
}

/** One rejected field, or one reason. */
export interface ProblemItem {
  readonly code: string;
  readonly detail: string;
  /** The field, with its path. Community operations call it `field`. */
  readonly param?: string;
  readonly field?: string;
}

/** A response whose whole body was read. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The base of all errors of a call. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** The Idempotency-Key of a POST. Another call with this key continues the same request. */
  idempotencyKey: string | null = null;
}

/** The service rejected the request. */
export class ProblemError<C extends ProblemCode = ProblemCode> extends ApiError {
  override name = 'ProblemError';
  readonly code: C;
  readonly status: number;
  readonly problem: Problem<C>;
  readonly requestId: string | null;
  readonly headers: Headers;

  constructor(problem: Problem<C>, headers: Headers) {
    super(describe(problem));
    this.code = problem.code;
    this.status = problem.status;
    this.problem = problem;
    this.requestId = problem.request_id ?? headers.get('x-request-id');
    this.headers = headers;
  }
}

/** The request got no response, or only a part of one. A write may have taken effect. */
export class ConnectionError extends ApiError {
  override name = 'ConnectionError';
  readonly fault: ConnectionFault;

  /** @param request the method and the URL */
  constructor(request: string, cause: unknown) {
    const { fault, reason } = explainFailure(cause);
    super(`${request} got no complete response (${fault}): ${reason}`, { cause });
    this.fault = fault;
  }
}

/** The response is not one of the service. A proxy may have sent it. */
export class UnexpectedResponseError extends ApiError {
  override name = 'UnexpectedResponseError';
  readonly status: number;
  readonly headers: Headers;

  /** @param request the method and the URL */
  constructor(request: string, { status, headers, text }: ReceivedResponse) {
    const location = headers.get('location');
    const target = location === null ? '' : ` to ${location}`;
    super(`${request} got an unexpected response with status ${status}${target}: ${text.slice(0, 200)}`.trim());
    this.status = status;
    this.headers = headers;
  }
}

/** Returns whether an error is a problem, with one of the codes when some are given. Narrows the type of `code`. */
export function isProblem<C extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: readonly C[]
): error is ProblemError<C> {
  return isProblemError(error) && (codes.length === 0 || codes.includes(error.code as C));
}

/** Compares the name, because a program that imports and requires the client has two classes of this name. */
function isProblemError(error: unknown): error is ProblemError {
  return error instanceof Error && error.name === 'ProblemError';
}

function describe({ status, code, title, detail, errors }: Problem): string {
  const items = errors.map((item) => `${item.param ?? item.field ?? item.code}: ${item.detail}`);
  return `${status} ${code}: ${[detail ?? title, ...items].join(' | ')}`;
}

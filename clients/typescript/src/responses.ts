import type { ApiResponse } from './api-promise.ts';
import { type Problem, ProblemError, UnexpectedResponseError } from './problems.ts';

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns the parsed body of a success. @throws the problem of another response */
export function readResponse<T>(response: ReceivedResponse): ApiResponse<T> {
  const { status, headers, text } = response;
  const body = parse(text);
  if (isProblemDocument(body)) throw new ProblemError(body, headers);
  if (status < 200 || status > 299 || body === null) throw new UnexpectedResponseError(status, headers, text);
  return {
    data: body as T,
    status,
    headers,
    requestId: headers.get('x-request-id'),
    isReplayed: headers.get('idempotent-replayed') === 'true',
  };
}

function isProblemDocument(body: unknown): body is Problem {
  const { code, status, errors } = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof status === 'number' && Array.isArray(errors);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

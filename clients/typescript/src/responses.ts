import type { ApiResponse } from './api-promise.ts';
import { type Problem, ProblemError, type ReceivedResponse, UnexpectedResponseError } from './problems.ts';

/**
 * Returns the parsed body of a success. @throws the problem of another response
 * @param request the method and the URL, for the message of an error
 */
export function readResponse<T>(response: ReceivedResponse, request: string): ApiResponse<T> {
  const { status, headers, text } = response;
  const body = parse(text);
  if (isProblemDocument(body)) throw new ProblemError(body, headers);
  if (status < 200 || status > 299 || body === null) throw new UnexpectedResponseError(request, response);
  return {
    data: body as T,
    status,
    headers,
    text,
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

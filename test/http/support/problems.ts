import { isProblemCode, statusOf } from '../../../src/http/problems/problem-codes.js';

const MEMBERS = ['code', 'detail', 'errors', 'request_id', 'status', 'title', 'type'];
const EXTENSION_MEMBERS = ['block_reason'];
const ERROR_MEMBERS = ['code', 'detail', 'field', 'param'];

export interface ProblemReply {
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | null | undefined };
  readonly body: string;
}

/** Returns the errors in a problem document; empty when the document is valid. */
export function validateProblem({ status, headers, body }: ProblemReply): string[] {
  const problem = parseJson(body);
  const code = String(problem.code);
  const rules: readonly [boolean, string][] = [
    [headers.get('content-type') === 'application/problem+json', 'its media type'],
    [
      problem.status === status && isProblemCode(code) && statusOf({ code, errors: problem.errors as [] }) === status,
      'its status',
    ],
    [MEMBERS.every((name) => name in problem), 'a member is missing'],
    [Object.keys(problem).every((name) => [...MEMBERS, ...EXTENSION_MEMBERS].includes(name)), 'a member too many'],
    [['detail', 'title'].every((name) => typeof problem[name] === 'string' && problem[name] !== ''), 'its texts'],
    [URL.canParse(String(problem.type)) && String(problem.type).endsWith(`/problems/${code}`), 'its type'],
    [problem.request_id === headers.get('x-request-id'), 'its request id'],
    [Array.isArray(problem.errors) && problem.errors.every(isError), 'its errors'],
    [status !== 401 || headers.get('www-authenticate') === 'Bearer', 'no WWW-Authenticate'],
    [![429, 503].includes(status) || /^[1-9]\d*$/.test(headers.get('retry-after') ?? ''), 'no Retry-After'],
    [status !== 405 || headers.get('allow') !== undefined, 'no Allow'],
  ];
  return rules.filter(([holds]) => !holds).map(([, what]) => `${status} ${code}: ${what}`);
}

function isError(error: object): boolean {
  return Object.entries(error).every(([name, value]) => ERROR_MEMBERS.includes(name) && typeof value === 'string');
}

function parseJson(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}

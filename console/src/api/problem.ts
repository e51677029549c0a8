import { type Problem, ProblemError, UnexpectedResponseError } from '../../../clients/typescript/src/problems.ts';

export { ProblemError };

/** The message of a failed call, with or without a problem document. */
export interface Failure {
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: readonly {
    readonly code: string;
    readonly detail: string;
    readonly param?: string;
    readonly field?: string;
  }[];
}

export function toFailure(error: unknown): Failure {
  if (error instanceof ProblemError) {
    const { title, detail = '', errors, code } = error.problem as Problem;
    return { title, detail, errors, code, requestId: error.requestId };
  }
  const title = error instanceof UnexpectedResponseError ? 'The response is not one of the service' : 'The call failed';
  const detail = error instanceof Error ? error.message : String(error);
  return { title, detail, code: 'no_response', requestId: null, errors: [] };
}

/** Returns whether the credential may never make the call. */
export function isForbidden(error: unknown): boolean {
  return toFailure(error).code === 'permission_denied';
}

/** Finds the error of one field, for example of `plans[0].amount_cents`. */
export function findFieldError(error: unknown, name: string): string | undefined {
  return toFailure(error).errors.find(({ param, field }) => (param ?? field) === name)?.detail;
}

/** The problem document of the API, or a failure without one. */
export interface Problem {
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly status: number | null;
  readonly request_id: string | null;
  readonly errors: readonly {
    readonly code: string;
    readonly detail: string;
    readonly param?: string;
    readonly field?: string;
  }[];
}

/** A call that the service refused. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return {
    title: 'The service did not answer',
    detail: error instanceof Error ? error.message : String(error),
    code: 'network_error',
    status: null,
    request_id: null,
    errors: [],
  };
}

/** Finds the refusal of one field, for example of `plans[0].amount_cents`. */
export function findFieldError(error: unknown, name: string): string | undefined {
  return toProblem(error).errors.find(({ param, field }) => (param ?? field) === name)?.detail;
}

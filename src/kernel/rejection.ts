/** What was refused in one field of a request. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
  /** Dotted path of the field, as the caller wrote it: `plans[1].amount_cents`. Absent when the whole request is refused. */
  readonly param?: string;
}

/** The domain refuses: nothing changes. Only http/codes.ts knows which status a code has. */
export class Rejection extends Error {
  readonly errors: readonly Fault[];

  /** @param extra members beside the problem document's own, such as `block_reason` on cart errors. */
  constructor(
    readonly code: string,
    readonly detail: string,
    param?: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${code}: ${detail}`);
    this.name = 'Rejection';
    this.errors = param === undefined ? [] : [{ code, detail, param }];
  }

  /** One refusal that names several fields, each with its own code. */
  static of(code: string, detail: string, errors: readonly Fault[], extra: Readonly<Record<string, unknown>> = {}): Rejection {
    return Object.assign(new Rejection(code, detail, undefined, extra), { errors });
  }

  /** A field that fails its rule in a way of its own: `faultCode` stands beside it, under a `validation_failed` of the whole. */
  static field(param: string, faultCode: string, detail: string): Rejection {
    return Rejection.of('validation_failed', detail, [{ code: faultCode, detail, param }]);
  }

  /** An id in a body that is not the business's own: a 422 that never says whether it exists. */
  static unknownReference(param: string): Rejection {
    return Rejection.of('validation_failed', `${param} was not found.`, [{ code: 'not_found', detail: 'not found', param }]);
  }

  /** Unknown, malformed or foreign: the same answer for all three. */
  static notFound(): Rejection {
    return new Rejection('not_found', 'There is no such resource.');
  }
}

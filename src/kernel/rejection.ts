export interface FieldError {
  readonly code: string;
  readonly detail: string;
  /**
   * Dotted path of the field, as the caller wrote it: `plans[1].amount_cents`. Missing when the whole request is
   * rejected.
   */
  readonly param?: string;
}

/** The kernel does not know HTTP, so the table of problem codes adds its codes here. */
export interface RejectionCodes {
  readonly kernel: 'not_found' | 'rate_limited' | 'validation_failed';
}

export type RejectionCode = RejectionCodes[keyof RejectionCodes];

/** The domain rejects a command: nothing changes. Only the table of problem codes maps a code to its HTTP status. */
export class Rejection extends Error {
  readonly errors: readonly FieldError[];
  /** When the same command may succeed; null: unknown. */
  readonly retryAfterSeconds: number | null = null;
  /** The same command is refused for ever, although time helps with other refusals of this code. */
  readonly isLasting: boolean = false;

  /** @param extra additional members of the problem document, such as `block_reason` on cart errors */
  constructor(
    readonly code: RejectionCode,
    readonly detail: string,
    param?: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${code}: ${detail}`);
    this.name = 'Rejection';
    this.errors = param === undefined ? [] : [{ code, detail, param }];
  }

  /** Creates one rejection for several fields, each with its own code. */
  static of(
    code: RejectionCode,
    detail: string,
    errors: readonly FieldError[],
    extra: Readonly<Record<string, unknown>> = {},
  ): Rejection {
    return Object.assign(new Rejection(code, detail, undefined, extra), { errors });
  }

  /** Creates a `validation_failed` rejection whose only field error has its own code. */
  static ofField(param: string, errorCode: string, detail: string): Rejection {
    return Rejection.of('validation_failed', detail, [{ code: errorCode, detail, param }]);
  }

  /** Creates the 422 for an id in a body that is unknown or belongs to another business; it does not reveal which. */
  static unknownReference(param: string): Rejection {
    return Rejection.of('validation_failed', `${param} was not found.`, [
      { code: 'not_found', detail: 'not found', param },
    ]);
  }

  /** Creates the 429 of a limit. @param until when the limit allows the next command */
  static rateLimited(detail: string, { now, until }: { readonly now: string; readonly until: string }): Rejection {
    const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(until) - Date.parse(now)) / 1000));
    return Object.assign(new Rejection('rate_limited', detail), { retryAfterSeconds });
  }

  /** Creates a rejection that time does not change, by a code that time changes in other cases. */
  static lasting(code: RejectionCode, detail: string): Rejection {
    return Object.assign(new Rejection(code, detail), { isLasting: true });
  }

  /** Creates the same 404 for unknown, malformed and foreign ids. */
  static notFound(): Rejection {
    return new Rejection('not_found', 'There is no such resource.');
  }
}

/** Returns the resource that a request names. @throws Rejection `not_found` */
export function requireFound<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw Rejection.notFound();
  return found;
}

/** The response body: `{ data }`, or `{ data, pagination }` for a list. */
export interface Envelope {
  readonly data: unknown;
  readonly pagination?: unknown;
}

/** A response with a status other than the route's, or with secrets. */
export class Answer {
  /** @param status null for the status of the route */
  constructor(
    readonly status: number | null,
    readonly body: Envelope,
    /** Members of `data` that are not stored with the idempotency key, so a repeated response lacks them. */
    readonly secrets: Readonly<Record<string, string>> = {},
  ) {}

  static withSecret(body: Envelope, secrets: Readonly<Record<string, string>>): Answer {
    return new Answer(null, body, secrets);
  }
}

/**
 * Returns the response with its status and without hidden fields. Sealed fields are still sealed, and secrets are
 * separate.
 */
export function shown(result: unknown, status: number): Answer & { readonly status: number } {
  const answer = result instanceof Answer ? result : new Answer(null, result as Envelope);
  const { data, ...rest } = answer.body;
  const visible = Array.isArray(data) ? data.map(withoutHidden) : withoutHidden(data);
  return new Answer(answer.status ?? status, { data: visible, ...rest }, answer.secrets) as Answer & { readonly status: number };
}

export function withoutHidden(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  return Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')));
}

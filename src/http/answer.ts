/** What a controller returns: `{ data }`, or `{ data, pagination }` for a list. */
export interface Envelope {
  readonly data: unknown;
  readonly pagination?: unknown;
}

/** An answer whose status is not its route's own, or that carries a secret. */
export class Answer {
  /** Without a status it has its route's. */
  constructor(
    readonly status: number | null,
    readonly body: Envelope,
    /** Members of `data` in this one answer: never kept with the idempotency key, so a repetition is without them. */
    readonly secrets: Readonly<Record<string, string>> = {},
  ) {}

  static withSecret(body: Envelope, secrets: Readonly<Record<string, string>>): Answer {
    return new Answer(null, body, secrets);
  }
}

/** An answer with its status, as it leaves but for its sealed fields and secrets: without what documents keep for being found. */
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

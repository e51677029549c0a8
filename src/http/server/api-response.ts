import { JsonDocument, parseDocument } from '../../kernel/read-models.js';

/** The response body: `{ data }`, or `{ data, pagination }` for a list. */
export interface ResponseBody {
  readonly data: unknown;
  readonly pagination?: unknown;
}

/** A response with a status other than the route's, or with secrets. */
export class ApiResponse {
  /** @param status null for the status of the route */
  constructor(
    readonly status: number | null,
    readonly body: ResponseBody,
    /** Members of `data` that are not stored with the idempotency key, so a repeated response lacks them. */
    readonly secrets: Readonly<Record<string, string>> = {},
  ) {}

  static withSecret(body: ResponseBody, secrets: Readonly<Record<string, string>>): ApiResponse {
    return new ApiResponse(null, body, secrets);
  }
}

/**
 * Returns the response with its status and without hidden fields. Encrypted fields are still encrypted, and secrets are
 * separate.
 */
export function toApiResponse(result: unknown, status: number): ApiResponse & { readonly status: number } {
  const answer = result instanceof ApiResponse ? result : new ApiResponse(null, result as ResponseBody);
  const { data, ...rest } = answer.body;
  const visible = Array.isArray(data) ? data.map(removeHiddenFields) : removeHiddenFields(data);
  return new ApiResponse(answer.status ?? status, { data: visible, ...rest }, answer.secrets) as ApiResponse & {
    readonly status: number;
  };
}

export function removeHiddenFields(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  if (document instanceof JsonDocument) return removeHiddenFields(parseDocument(document));
  const visible: Record<string, unknown> = {};
  for (const name of Object.keys(document))
    if (!name.startsWith('_')) visible[name] = (document as Record<string, unknown>)[name];
  return visible;
}

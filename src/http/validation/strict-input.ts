import type { ExecutionContext } from '@nestjs/common';
import { getApiRequest } from '../auth/request-context.js';
import { parseJsonBody } from './json-body.js';
import { takesBody, takesQuery } from './route-input.js';
import { createUnknownQueryRejection, validateBody } from './validation.js';

class NoFields {}

/**
 * Rejects parameters for routes without a query, and fields for routes without a body, so that typos are noticed.
 * Returns a promise only for a request with a body that its route does not take.
 */
export function checkStrictInput(execution: ExecutionContext): Promise<void> | null {
  const { query, body } = getApiRequest(execution);
  const names = Object.keys(query as object);
  if (names.length > 0 && !takesQuery(execution)) throw createUnknownQueryRejection(names);
  if (body === undefined || takesBody(execution)) return null;
  return rejectFields(body);
}

async function rejectFields(body: unknown): Promise<void> {
  await validateBody(NoFields, await parseJsonBody(body));
}

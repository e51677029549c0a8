import type { FindQuery } from '../../kernel/read-models.js';

/** Finds the documents of a page of a list with `total` documents. A page in the second half is read from the end. */
export async function findFromNearerEnd<T>(
  query: FindQuery & { readonly offset: number },
  total: number,
  find: (query: FindQuery) => Promise<T[]>,
): Promise<T[]> {
  const limit = Math.min(query.limit, total - query.offset);
  if (limit <= 0) return [];
  const after = total - query.offset - limit;
  if (query.offset <= after) return find({ ...query, limit });
  return (await find({ ...query, ascending: true, offset: after, limit })).reverse();
}

import { ApiPromise, type ApiResponse } from './api-promise.ts';
import type * as T from './generated/types.gen.ts';

export interface List<T, P> {
  readonly data: T[];
  readonly pagination: P;
}

export type Query = Readonly<Record<string, unknown>>;
type PagePagination = T.PagePagination;
type CursorPagination = T.CursorPagination;

/** How many items of earlier pages are remembered. Items that were added since then move items to later pages. */
const REMEMBERED_ITEMS = 500;

/**
 * One page of a list when awaited, and all items when iterated: `for await (const order of client.commerce.orders.list())`.
 * Each iteration begins again at the first requested page.
 */
export class ListPromise<T, P> extends ApiPromise<List<T, P>> implements AsyncIterable<T> {
  readonly #fetchPage: (next?: Query) => Promise<ApiResponse<List<T, P>>>;
  readonly #findNext: (pagination: P) => Query | null;

  constructor(
    fetchPage: (next?: Query) => Promise<ApiResponse<List<T, P>>>,
    findNext: (pagination: P) => Query | null,
  ) {
    let first: Promise<ApiResponse<List<T, P>>> | null = null;
    super(() => (first ??= fetchPage()));
    this.#fetchPage = fetchPage;
    this.#findNext = findNext;
  }

  /** Iterates the pages. */
  async *pages(): AsyncGenerator<List<T, P>, void, undefined> {
    for (let next: Query | null = {}; next !== null;) {
      const page: List<T, P> = (await this.#fetchPage(next)).data;
      yield page;
      const following = this.#findNext(page.pagination);
      if (following !== null && isSame(following, next)) throw new Error('A page of the list names itself as the next');
      next = following;
    }
  }

  /** Reads pages until it has so many items, or all. @param options.limit how many items at most */
  async toArray({ limit }: { readonly limit: number }): Promise<T[]> {
    if (!(limit >= 0)) throw new RangeError(`toArray needs a limit of 0 or more items, not ${limit}`);
    const items: T[] = [];
    if (limit === 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const seen = new Set<string>();
    for await (const { data } of this.pages()) {
      for (const item of data) if (isNew(seen, item)) yield item;
    }
  }
}

export type PageList<T> = ListPromise<T, PagePagination>;
export type CursorList<T> = ListPromise<T, CursorPagination>;

export function findNextPage({ current_page, total_pages }: PagePagination): Query | null {
  return current_page < total_pages ? { page: current_page + 1 } : null;
}

export function findNextSlice({ has_more, next_cursor }: CursorPagination): Query | null {
  return has_more && next_cursor !== null ? { after: next_cursor } : null;
}

function isSame(one: Query, other: Query): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isNew(seen: Set<string>, item: unknown): boolean {
  const id = (item as { readonly id?: unknown }).id;
  if (typeof id !== 'string') return true;
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > REMEMBERED_ITEMS) seen.delete(seen.values().next().value!);
  return true;
}

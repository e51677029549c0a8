import type { Api } from '../../support/api.js';

/** A resource as the API answers it. */
export type Resource = Readonly<Record<string, unknown>> & { readonly id: string; readonly object: string };

const COMMERCE = [
  'products',
  'discounts',
  'offers',
  'orders',
  'subscriptions',
  'payments',
  'invoices',
  'refunds',
  'disputes',
  'payouts',
];
const OF_COMMUNITY = ['members', 'invites', 'points', 'posts', 'channels', 'challenges', 'library/resources'];
/** Without a filter, the list shows the active members. */
const FILTERS: Readonly<Record<string, string>> = {
  members: 'status=active&status=pending&status=removed&status=banned&',
};

/** Reads every public resource that a list of the business shows. Lists of comments show deleted ones too. */
export async function readPublicResources(api: Api): Promise<readonly Resource[]> {
  const found: Resource[] = [];
  const read = async (path: string) => {
    const items = await readAll(api, path);
    found.push(...items);
    return items;
  };
  for (const noun of COMMERCE) await read(`/v1/commerce/${noun}`);
  for (const { id } of await read('/v1/community/communities'))
    for (const noun of OF_COMMUNITY)
      for (const item of await read(`/v1/community/communities/${id}/${noun}`)) {
        if (noun === 'posts') await read(`/v1/community/posts/${item.id}/comments`);
        if (noun === 'channels') await read(`/v1/community/channels/${item.id}/messages`);
      }
  return found.filter(({ deleted_at: deletedAt }) => !deletedAt);
}

async function readAll(api: Api, path: string): Promise<readonly Resource[]> {
  const filter = FILTERS[path.slice(path.lastIndexOf('/') + 1)] ?? '';
  const items: Resource[] = [];
  for (let next: string | null = `${path}?${filter}`; next !== null;) {
    const { status, body, text }: Awaited<ReturnType<Api['get']>> = await api.get(next);
    if (status !== 200) throw new Error(`${next}: ${status} ${text}`);
    items.push(...(body.data as readonly Resource[]));
    next = findNext(`${path}?${filter}`, body.pagination);
  }
  return items;
}

interface Pagination {
  readonly current_page?: number;
  readonly total_pages?: number;
  readonly next_cursor?: string | null;
}

function findNext(
  path: string,
  { current_page: page, total_pages: pages, next_cursor: cursor }: Pagination,
): string | null {
  if (cursor) return `${path}after=${encodeURIComponent(cursor)}`;
  return page !== undefined && page < pages! ? `${path}page=${page + 1}` : null;
}

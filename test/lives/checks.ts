import { type ExpectedItem, type Listing, listListings } from './listings.js';
import type { Fields } from './model/template.js';
import type { World } from './world/world.js';

const MAX_CHANGES = 25;

/** Compares the resources that have changed since the last check, and the balance. Returns one sentence a difference. */
export async function checkTouched(world: World): Promise<string[]> {
  const { model } = world;
  if (model.touched.size === 0) return [];
  const differences: string[] = [];
  for (const listing of listListings(world)) differences.push(...(await compareTouched(world, listing)));
  differences.push(...(await checkChanges(world)));
  model.touched.clear();
  differences.push(...(await compareOne(world, '/v1/commerce/balance', 'balance', model.balance.render())));
  return differences;
}

/** Compares items in their list when they have no path of their own, or no known id. */
async function compareTouched(world: World, listing: Listing): Promise<string[]> {
  const isTouched = ({ key }: ExpectedItem) => world.model.touched.has(key);
  const isOnlyListed = (item: ExpectedItem) =>
    isTouched(item) && (item.findPath === null || !world.names.has(item.key));
  const last = listing.items.findLastIndex(isOnlyListed);
  const differences = last === -1 ? [] : await compareNewest(world, listing, last + 1);
  const rest = [...listing.items.slice(last + 1), ...(listing.hidden ?? [])].filter(isTouched);
  for (const item of rest) differences.push(...(await compareItem(world, item)));
  return differences;
}

/** Compares every page of every list. */
export async function checkAll(world: World): Promise<string[]> {
  const differences = [];
  for (const listing of listListings(world))
    differences.push(...(await compareNewest(world, listing, listing.items.length)));
  return differences;
}

/** Compares at least this number of the newest items, and the number of all. */
async function compareNewest(world: World, { path, perPage, items }: Listing, count: number): Promise<string[]> {
  const actual: ApiItem[] = [];
  let total = 1;
  for (let page = 1; page === 1 || actual.length < Math.min(count, total); page++) {
    const { status, body, text } = await world.api.get(`${path}page=${page}&per_page=${perPage}`);
    if (status !== 200) return [`${path}: ${status} ${text}`];
    actual.push(...body.data);
    total = body.pagination.total_count;
  }
  const size = total === items.length ? [] : [`${path} has ${total} items, expected ${items.length}`];
  const compared = items.slice(0, actual.length);
  return [
    ...size,
    ...compared.flatMap((item, i) => world.names.compare(item.render(), findItem(world, actual, item, i), item.key)),
  ];
}

interface ApiItem {
  readonly id: string;
  readonly user?: { readonly email: string | null };
}

function findItem({ names }: World, actual: readonly ApiItem[], { key, email }: ExpectedItem, index: number) {
  if (email === undefined) return actual[index];
  return actual.find(({ id, user }) => (names.has(key) ? id === names.idOf(key) : user?.email === email));
}

async function compareItem(world: World, { key, findPath, render }: ExpectedItem): Promise<string[]> {
  return findPath === null ? [] : compareOne(world, findPath(), key, render());
}

async function compareOne(world: World, path: string, key: string, expected: Fields): Promise<string[]> {
  const { status, body, text } = await world.api.get(path);
  return status === 200 ? world.names.compare(expected, body.data, key) : [`${key}: ${status} ${text}`];
}

async function checkChanges({ api, model, names }: World): Promise<string[]> {
  const differences = [];
  const { all, changes } = model.subscriptions;
  for (const one of all.filter(({ key, changes: own }) => own.length > 0 && model.touched.has(key))) {
    const { body } = await api.get(`/v1/commerce/subscriptions/${names.idOf(one.key)}/changes`);
    const expected = [...one.changes].reverse().map((change) => changes.render(change));
    differences.push(...names.compare(expected.slice(0, MAX_CHANGES), body.data, `changes of ${one.key}`));
  }
  return differences;
}

import type { Community } from './model/communities.js';
import type { Model } from './model/model.js';
import type { Fields } from './model/template.js';
import type { World } from './world/world.js';

export interface ExpectedItem {
  readonly key: string;
  readonly render: () => Fields;
  /** Returns the path of this one item; null when the API has no such path. */
  readonly findPath: (() => string) | null;
  /** The address that tells the item apart, in a list whose order the contract leaves open. */
  readonly email?: string | null;
}

/** A list of the API, and what the model expects in it: the newest item first. */
export interface Listing {
  readonly path: string;
  readonly perPage: number;
  readonly items: readonly ExpectedItem[];
}

interface Created {
  readonly key: string;
  readonly createdAt: string;
}

const PER_PAGE = 25;
const MANY_PER_PAGE = 100;

export function listListings(world: World): readonly Listing[] {
  const { model } = world;
  const list = <T extends Created>(noun: string, items: readonly T[], render: (item: T) => Fields): Listing => {
    const path = `/v1/commerce/${noun}`;
    const findPath = (key: string) => (noun === 'payouts' ? null : () => `${path}/${world.names.idOf(key)}`);
    const perPage = noun === 'payments' ? MANY_PER_PAGE : PER_PAGE;
    return { path: `${path}?`, perPage, items: sortNewest(items).map((item) => expectItem(item, render, findPath)) };
  };
  return [
    list('products', model.catalogue.products, (one) => model.catalogue.render(one)),
    list('orders', model.orders.completed, (one) => model.orders.render(one)),
    list('subscriptions', model.subscriptions.all, (one) => model.subscriptions.render(one)),
    list('payments', model.payments.all, (one) => model.payments.render(one)),
    list('invoices', model.invoices.all, (one) => model.invoices.render(one)),
    list('refunds', model.refunds.all, (one) => model.refunds.render(one)),
    list('payouts', model.balance.payouts, (one) => model.balance.renderPayout(one)),
    list('buyers', model.buyers.all, ({ email }) => model.buyers.render(email)),
    listCommunities(world),
    ...model.communities.all.flatMap((community) => listOfCommunity(world, community)),
  ];
}

function listCommunities({ model, names }: World): Listing {
  const path = '/v1/community/communities';
  const items = sortNewest(model.communities.all).map((one) =>
    expectItem(
      one,
      () => model.communities.render(one),
      (key) => () => `${path}/${names.idOf(key)}`,
    ),
  );
  return { path: `${path}?`, perPage: MANY_PER_PAGE, items };
}

function listOfCommunity({ model, names }: World, community: Community): readonly Listing[] {
  // Before its own list has shown it, a community has no path.
  if (!names.has(community.key)) return [];
  const path = `/v1/community/communities/${names.idOf(community.key)}`;
  const findInvite = (key: string) => () => `/v1/community/invites/${names.idOf(key)}`;
  const invites = sortNewest(model.invites.listOf(community)).map((one) =>
    expectItem(one, () => model.invites.render(one), findInvite),
  );
  return [
    {
      path: `${path}/members?`,
      perPage: MANY_PER_PAGE,
      items: listMembers(model, names, path, community, true),
    },
    {
      path: `${path}/members?status=removed&status=banned&status=pending&`,
      perPage: MANY_PER_PAGE,
      items: listMembers(model, names, path, community, false),
    },
    { path: `${path}/invites?`, perPage: MANY_PER_PAGE, items: invites },
  ];
}

function listMembers(
  { members }: Model,
  names: World['names'],
  path: string,
  community: Community,
  areActive: boolean,
) {
  return members
    .listOf(community)
    .filter(({ status }) => (status === 'active') === areActive)
    .map((member): ExpectedItem => {
      const findPath = () => `${path}/members/${names.idOf(member.user?.key ?? 'usr owner')}`;
      return { key: member.key, render: () => members.render(member), findPath, email: member.user?.email ?? null };
    });
}

function expectItem<T extends Created>(
  item: T,
  render: (item: T) => Fields,
  findPath: (key: string) => (() => string) | null,
): ExpectedItem {
  return { key: item.key, render: () => render(item), findPath: findPath(item.key) };
}

/** Orders have the time of their cart, and can be completed later than the next one. */
function sortNewest<T extends Created>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

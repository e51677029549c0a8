import { listCommunities, listCommunity } from './community-listings.js';
import type { Fields } from './model/template.js';
import type { World } from './world/world.js';

export interface ExpectedItem {
  readonly key: string;
  readonly render: () => Fields;
  /** Returns the path of this one item; null when the API has no such path. */
  readonly findPath: (() => string) | null;
  /** The address that tells the item apart, in a list whose order the contract leaves open. */
  readonly email?: string | null;
  /** Whether no event may show the item, such as an award of a member who has not joined. */
  readonly isUnseen?: boolean;
  /** Renders what the latest public event shows; absent when it is the item. */
  readonly renderEvent?: () => Fields;
}

/** A list of the API, and what the model expects in it: the newest item first. */
export interface Listing {
  readonly path: string;
  readonly perPage: number;
  readonly items: readonly ExpectedItem[];
  /** Items that have a path, and that the list does not show. */
  readonly hidden?: readonly ExpectedItem[];
  /** Whether public events show the items to the business. */
  readonly isPublished: boolean;
}

export interface Created {
  readonly key: string;
  readonly createdAt: string;
}

const PER_PAGE = 25;
export const MANY_PER_PAGE = 100;
/** Nouns without public events. */
const UNPUBLISHED = ['buyers'];

export function listListings(world: World): readonly Listing[] {
  const { model, names } = world;
  const list = <T extends Created>(noun: string, items: readonly T[], render: (item: T) => Fields): Listing => {
    const path = `/v1/commerce/${noun}`;
    const findPath = noun === 'payouts' ? null : (key: string) => `${path}/${names.idOf(key)}`;
    const perPage = noun === 'payments' ? MANY_PER_PAGE : PER_PAGE;
    const expected = sortNewest(items).map((item) => expectItem(item, render, findPath));
    return { path: `${path}?`, perPage, items: expected, isPublished: !UNPUBLISHED.includes(noun) };
  };
  return [
    list('products', model.catalogue.products, (one) => model.catalogue.render(one)),
    list('offers', model.offers.all, (one) => model.offers.render(one)),
    list('orders', model.orders.completed, (one) => model.orders.render(one)),
    list('subscriptions', model.subscriptions.all, (one) => model.subscriptions.render(one)),
    list('payments', model.payments.all, (one) => model.payments.render(one)),
    list('invoices', model.invoices.all, (one) => model.invoices.render(one)),
    list('refunds', model.refunds.all, (one) => model.refunds.render(one)),
    list('disputes', model.disputes.all, (one) => model.disputes.render(one)),
    list('payouts', model.balance.payouts, (one) => model.balance.renderPayout(one)),
    list('buyers', model.buyers.all, ({ person }) => model.buyers.render(person)),
    listCommunities(world),
    ...model.communities.all.flatMap((community) => listCommunity(world, community)),
  ];
}

export function expectItem<T extends Created>(
  item: T,
  render: (item: T) => Fields,
  findPath: ((key: string) => string) | null,
): ExpectedItem {
  return {
    key: item.key,
    render: () => render(item),
    findPath: findPath === null ? null : () => findPath(item.key),
  };
}

/** Orders have the time of their cart, and can be completed later than the next one. */
export function sortNewest<T extends Created>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

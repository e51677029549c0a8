import { type ExpectedItem, expectItem, type Listing, MANY_PER_PAGE, sortNewest } from './listings.js';
import { KEY } from './model/access.js';
import type { Community } from './model/communities.js';
import type { Member } from './model/members.js';
import type { Post } from './model/posts.js';
import type { World } from './world/world.js';

const COMMUNITIES = '/v1/community/communities';

/** The list of the key holds the communities of its business. */
export function listCommunities({ model, names }: World): Listing {
  const expect = (one: Community) =>
    expectItem(
      one,
      () => model.communities.render(one),
      (key) => `${COMMUNITIES}/${names.idOf(key)}`,
    );
  const all = sortNewest(model.communities.all);
  const items = all.filter(({ isOfBusiness }) => isOfBusiness).map(expect);
  const hidden = all.filter(({ isOfBusiness }) => !isOfBusiness).map(expect);
  return { path: `${COMMUNITIES}?`, perPage: MANY_PER_PAGE, items, hidden, isPublished: true };
}

/** Returns the lists of one community. Before its own list has shown it, it has no path. */
export function listCommunity(world: World, community: Community): readonly Listing[] {
  if (!world.names.has(community.key)) return [];
  const posts = world.model.posts.listOf(community).filter(({ key }) => world.names.has(key));
  return [
    listMembers(world, community, ['active']),
    listMembers(world, community, ['removed', 'banned', 'pending']),
    listInvites(world, community),
    listEntries(world, community),
    listRanked(world, community),
    listPosts(world, community),
    ...posts.map((post) => listComments(world, post)),
  ];
}

function pathOf({ names }: World, community: Community): string {
  return `${COMMUNITIES}/${names.idOf(community.key)}`;
}

function listMembers(world: World, community: Community, statuses: readonly Member['status'][]): Listing {
  const { model, names } = world;
  const path = `${pathOf(world, community)}/members`;
  const items = model.members
    .listOf(community)
    .filter(({ status }) => statuses.includes(status))
    .map((member): ExpectedItem => {
      const findPath = () => `${path}/${names.idOf(member.user?.key ?? 'usr owner')}`;
      const render = () => model.members.render(member);
      return { key: member.key, render, findPath, email: member.user?.email ?? null };
    });
  const query = statuses.map((status) => `status=${status}&`).join('');
  return { path: `${path}?${query}`, perPage: MANY_PER_PAGE, items, isPublished: community.isOfBusiness };
}

function listInvites(world: World, community: Community): Listing {
  const { model, names } = world;
  const items = sortNewest(model.invites.listOf(community)).map((one) =>
    expectItem(
      one,
      () => model.invites.render(one),
      (key) => `/v1/community/invites/${names.idOf(key)}`,
    ),
  );
  const path = `${pathOf(world, community)}/invites?`;
  return { path, perPage: MANY_PER_PAGE, items, isPublished: community.isOfBusiness };
}

function listEntries(world: World, community: Community): Listing {
  const { points } = world.model;
  const items = sortNewest(points.listOf(community)).map((one) => ({
    ...expectItem(one, () => points.render(one), null),
    isUnseen: one.isKept,
  }));
  const path = `${pathOf(world, community)}/points?`;
  return { path, perPage: MANY_PER_PAGE, items, isPublished: community.isOfBusiness };
}

function listRanked(world: World, community: Community): Listing {
  const items = world.model.members.listRanked(community).map(({ member, fields }) => ({
    ...{ key: `rank of ${member.key}`, render: () => fields, findPath: null },
    email: member.user?.email ?? null,
  }));
  const path = `${pathOf(world, community)}/leaderboard?period=all&`;
  return { path, perPage: MANY_PER_PAGE, items, isPublished: false };
}

/** The list shows no deleted post; the key, which moderates, still sees it by its path. */
function listPosts(world: World, community: Community): Listing {
  const { model, names } = world;
  const expect = (post: Post): ExpectedItem => {
    const render = () => model.posts.renderFor(post, KEY);
    const item = expectItem(post, render, (key) => `/v1/community/posts/${names.idOf(key)}`);
    const { shownWhenDeleted: shown } = post;
    return shown === null ? item : { ...item, renderEvent: () => shown };
  };
  const all = sortNewest(model.posts.listOf(community));
  const items = all.filter(({ deletion }) => deletion === null).map(expect);
  const hidden = all.filter(({ deletion }) => deletion !== null).map(expect);
  const path = `${pathOf(world, community)}/posts?`;
  return { path, perPage: MANY_PER_PAGE, items, hidden, isPublished: community.isOfBusiness };
}

function listComments({ model, names }: World, post: Post): Listing {
  const { comments } = model.posts;
  const items = sortNewest(comments.listOf(post)).map((one) => expectItem(one, () => comments.render(one), null));
  const path = `/v1/community/posts/${names.idOf(post.key)}/comments?`;
  return { path, perPage: MANY_PER_PAGE, items, isPublished: false };
}

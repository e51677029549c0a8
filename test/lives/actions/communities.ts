import { type Community, LEVELS } from '../model/communities.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';
import { type Actor, chooseModerator, chooseReader } from './actors.js';
import { pathOf } from './members.js';

/** The last ones do not rise. */
const LEVELS_TO_CHOOSE = [LEVELS, [0, 10, 40], [0, 30], [0, 5, 5]];
const READ = { status: 200 };

export const communityActions: readonly Action[] = [
  { name: 'archive or reopen a community', act: archiveOrReopen },
  { name: 'archive or reopen a community', act: archiveOrReopen },
  { name: 'hand a community over', act: transfer },
  { name: 'change the levels', act: changeLevels },
  { name: 'read a community', act: read },
];

/** A community is soon reopened: little happens in an archived one. */
async function archiveOrReopen(world: World): Promise<void> {
  const { choices, model } = world;
  const community = model.communities.all.find(({ status }) => status === 'archived') ?? pickCommunity(world);
  const { api, caller } = await chooseModerator(world, community);
  const reopens = community.status === 'archived' && !choices.isOneIn(5);
  world.record(`${reopens ? 'reopen' : 'archive'} ${community.name}`);
  const path = pathOf(world, community);
  const outcome = reopens ? model.communities.reopen(community, caller) : model.communities.archive(community, caller);
  const reply = reopens ? await api.patch(path, { status: 'active' }) : await api.post(`${path}/archive`);
  world.expect(outcome, reply, outcome.status === 200 ? model.communities.render(community) : null);
}

/** Members, outsiders and the founder can be named. Only an active member becomes the owner. */
async function transfer(world: World): Promise<void> {
  const { choices, model, names } = world;
  const community = pickCommunity(world);
  const { api, caller } = await chooseModerator(world, community);
  const known = model.people.all.filter(({ subject, key }) => subject !== null && names.has(key));
  const members = known.filter((user) => model.members.find(community, user)?.status === 'active');
  const candidates = [...known.slice(0, 1), ...members, ...members, ...(community.owner === null ? [] : [null])];
  if (candidates.length === 0) return;
  const to = choices.pick(candidates);
  const key = to?.key ?? 'usr owner';
  world.record(`hand ${community.name} over to ${key}`);
  const outcome = model.communities.transfer(community, caller, to);
  const reply = await api.post(`${pathOf(world, community)}/transfer`, { user_id: names.idOf(key) });
  world.expect(outcome, reply, outcome.status === 200 ? model.communities.render(community) : null);
}

async function changeLevels(world: World): Promise<void> {
  const { choices, model } = world;
  const community = pickCommunity(world);
  const { api, caller } = await chooseModerator(world, community);
  const points = choices.pick(LEVELS_TO_CHOOSE);
  world.record(`levels of ${community.name} at ${points.join(', ')}`);
  const outcome = model.communities.setLevels(community, caller, points);
  const levels = points.map((needed, i) => ({ level: i + 1, points: needed }));
  const reply = await api.patch(pathOf(world, community), { levels });
  world.expect(outcome, reply, outcome.status === 200 ? model.communities.render(community) : null);
}

/** Reads as a member or an outsider what the key reads after each step. */
async function read(world: World): Promise<void> {
  const { model } = world;
  const community = pickCommunity(world);
  const actor = await chooseReader(world, community);
  const isMember = model.access.roleOf(community, actor.caller) !== null;
  world.record(`read ${community.name} as ${isMember ? 'a member' : 'an outsider'}`);
  const { communities } = model;
  const expected = isMember ? communities.render(community) : communities.renderPublic(community);
  world.expect(READ, await actor.api.get(pathOf(world, community)), expected);
  await readPosts(world, community, actor);
}

async function readPosts(world: World, community: Community, { api, caller }: Actor): Promise<void> {
  const { model } = world;
  const path = pathOf(world, community);
  const isMember = model.access.roleOf(community, caller) !== null;
  const outcome = isMember ? READ : { status: 403, code: 'not_a_member' };
  const posts = model.posts.listOf(community).filter(({ deletion }) => deletion === null);
  const shown = posts.toReversed().map((post) => model.posts.renderFor(post, caller));
  world.expect(outcome, await api.get(`${path}/posts?per_page=100`), isMember ? shown : null);
  const entries = model.points.listFor(community, caller).toReversed();
  const ledger = entries.map((entry) => model.points.render(entry));
  world.expect(outcome, await api.get(`${path}/points?per_page=100`), isMember ? ledger : null);
}

function pickCommunity({ choices, model }: World): Community {
  return choices.pick(model.communities.all);
}

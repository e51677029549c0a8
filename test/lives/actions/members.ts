import type { Api, ApiResponse } from '../../support/api.js';
import type { Caller } from '../model/access.js';
import type { Community } from '../model/communities.js';
import { MemberRequests } from '../model/member-requests.js';
import type { Member } from '../model/members.js';
import { CREATED, OK, type Outcome } from '../model/model.js';
import type { Person, World } from '../world/world.js';
import type { Action } from './actions.js';
import { chooseModerator } from './actors.js';
import { signIn } from './people.js';

interface Request {
  /** The status of the members about whom it is sent. */
  readonly status: Member['status'];
  readonly apply: (requests: MemberRequests, member: Member, caller: Caller) => Outcome;
  readonly send: (api: Api, path: string) => Promise<ApiResponse>;
}

const LEVEL = 5;

const REQUESTS: Readonly<Record<string, Request>> = {
  'remove a member': {
    status: 'active',
    apply: (requests, member, caller) => requests.remove(member, caller),
    send: (api, path) => api.delete(path),
  },
  'ban a member': {
    status: 'active',
    apply: (requests, member, caller) => requests.ban(member, caller),
    send: (api, path) => api.patch(path, { status: 'banned' }),
  },
  'unban a member': {
    status: 'banned',
    apply: (requests, member, caller) => requests.unban(member, caller),
    send: (api, path) => api.patch(path, { status: 'active' }),
  },
  'promote a member': {
    status: 'active',
    apply: (requests, member, caller) => requests.promote(member, caller, LEVEL),
    send: (api, path) => api.patch(path, { role: 'moderator', level: LEVEL }),
  },
  'give a badge': {
    status: 'active',
    apply: (requests, member, caller) => requests.assignBadge(member, caller),
    send: (api, path) => api.put(`${path}/expert-badge`),
  },
};

export const memberActions: readonly Action[] = [
  { name: 'join', act: join },
  { name: 'join', act: join },
  { name: 'leave', act: leave },
  ...Object.entries(REQUESTS).map(([name, request]) => ({ name, act: (world: World) => change(world, request) })),
];

export async function foundCommunities(world: World): Promise<void> {
  const [club] = world.model.catalogue.products;
  for (const [name, product] of [
    ['The club', club!],
    ['The square', null],
    ['The cellar', null],
  ] as const) {
    const { model, api, names } = world;
    const community = model.communities.create(name, product);
    const tier = product === null ? {} : { tier: 'paid', product_id: names.idOf(product.key) };
    const reply = await api.post('/v1/community/communities', { name, ...tier });
    world.expect(CREATED, reply, model.communities.render(community));
    model.now = new Date(Date.parse(model.now) + 1_000).toISOString();
    await world.service.advanceTo(model.now);
  }
  const cellar = world.model.communities.all.at(-1)!;
  world.model.communities.requireInvites(cellar);
  const reply = await world.api.patch(pathOf(world, cellar), { join_policy: 'invite' });
  world.expect(OK, reply, world.model.communities.render(cellar));
}

export function pathOf({ names }: World, community: Community): string {
  return `/v1/community/communities/${names.idOf(community.key)}`;
}

async function join(world: World): Promise<void> {
  const { choices, model, people } = world;
  await joinCommunity(world, choices.pick(people), choices.pick(model.communities.all));
}

export async function joinCommunity(world: World, person: Person, community: Community): Promise<void> {
  const { model } = world;
  const { api, user } = await signIn(world, person);
  world.record(`join ${community.name}`);
  const outcome = model.members.join(community, user);
  const reply = await api.post(`${pathOf(world, community)}/join`);
  const member = model.members.find(community, user);
  world.expect(outcome, reply, outcome.status < 300 ? model.members.render(member!) : null);
}

async function leave(world: World): Promise<void> {
  const { choices, model } = world;
  const community = choices.pick(model.communities.all);
  const { api, user } = await signIn(world, choices.pick(world.people));
  world.record(`leave ${community.name}`);
  world.expect(model.members.leave(community, user), await api.post(`${pathOf(world, community)}/leave`));
}

async function change(world: World, { status, apply, send }: Request): Promise<void> {
  const { choices, model, names } = world;
  const community = choices.pick(model.communities.all);
  const members = model.members.listOf(community).filter((one) => one.status === status && one.user !== null);
  if (members.length === 0) return;
  const member = choices.pick(members);
  const { api, caller } = await chooseModerator(world, community);
  world.record(`${member.key} of ${community.name}, by ${caller.user?.key ?? 'the key'}`);
  const outcome = apply(new MemberRequests(model), member, caller);
  const reply = await send(api, `${pathOf(world, community)}/members/${names.idOf(member.user!.key)}`);
  world.expect(outcome, reply, outcome.status === 200 ? model.members.render(member) : null);
}

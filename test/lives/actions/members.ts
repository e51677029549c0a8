import type { Community } from '../model/communities.js';
import type { Member } from '../model/members.js';
import { CREATED, OK } from '../model/model.js';
import type { Person, World } from '../world/world.js';
import type { Action } from './actions.js';
import { signIn } from './people.js';

export const memberActions: readonly Action[] = [
  { name: 'join', act: join },
  { name: 'join', act: join },
  { name: 'leave', act: leave },
  { name: 'remove a member', act: (world) => change(world, 'active', remove) },
  { name: 'ban a member', act: (world) => change(world, 'active', ban) },
  { name: 'unban a member', act: (world) => change(world, 'banned', unban) },
  { name: 'promote a member', act: (world) => change(world, 'active', promote) },
  { name: 'award points', act: award },
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

type Work = (world: World, member: Member, path: string) => Promise<void>;

async function change(world: World, status: Member['status'], work: Work): Promise<void> {
  const { choices, model, names } = world;
  const community = choices.pick(model.communities.all);
  const members = model.members.listOf(community).filter((one) => one.status === status && one.user !== null);
  if (members.length === 0) return;
  const member = choices.pick(members);
  world.record(`${member.key} of ${community.name}`);
  await work(world, member, `${pathOf(world, community)}/members/${names.idOf(member.user!.key)}`);
}

async function remove(world: World, member: Member, path: string): Promise<void> {
  const outcome = world.model.members.end(member, 'removed');
  world.expect(outcome, await world.api.delete(path), world.model.members.render(member));
}

async function ban(world: World, member: Member, path: string): Promise<void> {
  const outcome = world.model.members.end(member, 'banned');
  world.expect(outcome, await world.api.patch(path, { status: 'banned' }), world.model.members.render(member));
}

async function unban(world: World, member: Member, path: string): Promise<void> {
  const outcome = world.model.members.unban(member);
  world.expect(outcome, await world.api.patch(path, { status: 'active' }), world.model.members.render(member));
}

async function promote(world: World, member: Member, path: string): Promise<void> {
  const [role, level] = ['moderator', world.choices.pick([2, 5])] as const;
  const body = { role, level };
  world.model.members.change(member, { role, floor: level });
  world.expect(OK, await world.api.patch(path, body), world.model.members.render(member));
  world.model.members.change(member, { hasBadge: true });
  world.expect(OK, await world.api.put(`${path}/expert-badge`), world.model.members.render(member));
}

async function award(world: World): Promise<void> {
  const { choices, model, api } = world;
  const community = choices.pick(model.communities.all);
  const { email } = choices.pick(world.people);
  const [source, points] = [choices.pick(['lesson-1', 'lesson-2', 'lesson-3']), choices.pick([7, 7, 30])];
  world.record(`${points} points for ${source} to ${email} in ${community.name}`);
  const { outcome, data } = model.points.award(community, email, source, points);
  const body = { points, target_email: email, source_type: 'course', source_id: source };
  world.expect(outcome, await api.post(`${pathOf(world, community)}/points`, body), data);
}

import type { Invite } from '../model/invites.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';
import { chooseModerator } from './actors.js';
import { pathOf } from './members.js';
import { signIn } from './people.js';

export const inviteActions: readonly Action[] = [
  { name: 'invite', act: invite },
  { name: 'invite', act: invite },
  { name: 'accept an invite', act: (world) => answer(world, 'accept') },
  { name: 'accept an invite', act: (world) => answer(world, 'accept') },
  { name: 'decline an invite', act: (world) => answer(world, 'decline') },
  { name: 'revoke an invite', act: revoke },
  { name: 'import members', act: importMember },
  { name: 'import members', act: importMember },
];

async function invite(world: World): Promise<void> {
  const { choices, model } = world;
  const community = choices.pick(model.communities.all);
  const { email } = choices.pick(world.people);
  const { api, caller } = await chooseModerator(world, community);
  const terms = choices.isOneIn(2)
    ? ({ role: 'moderator', level: 3 } as const)
    : ({ role: 'member', level: 1 } as const);
  world.record(`invite ${email} to ${community.name} as ${terms.role}`);
  const { outcome, invite: made } = model.invites.issue(community, caller, email, terms);
  const reply = await api.post(`${pathOf(world, community)}/invites`, { email, ...terms });
  world.expect(outcome, reply, made === null ? null : model.invites.render(made));
}

function listInvites({ model }: World): readonly Invite[] {
  return model.communities.all.flatMap((community) => model.invites.listOf(community));
}

/** The addressee answers with a session of his own. */
async function answer(world: World, verb: 'accept' | 'decline'): Promise<void> {
  const { choices, model, names, people } = world;
  const own = listInvites(world).filter(({ email }) => people.some((person) => person.email === email));
  const pending = own.filter(({ status }) => status === 'pending');
  if (own.length === 0) return;
  const chosen = choices.pick(pending.length > 0 && !choices.isOneIn(5) ? pending : own);
  const { api, user } = await signIn(
    world,
    people.find(({ email }) => email === chosen.email)!,
  );
  world.record(`${verb} ${chosen.key} to ${chosen.community.name}, which is ${chosen.status}`);
  const outcome = verb === 'accept' ? model.invites.accept(chosen, user) : model.invites.decline(chosen);
  const reply = await api.post(`/v1/community/invites/${names.idOf(chosen.key)}/${verb}`);
  world.expect(outcome, reply, outcome.status === 200 ? model.invites.render(chosen) : null);
}

async function revoke(world: World): Promise<void> {
  const { choices, model, names } = world;
  const pending = listInvites(world).filter(({ status }) => status === 'pending');
  if (pending.length === 0) return;
  const chosen = choices.pick(pending);
  const { api, caller } = await chooseModerator(world, chosen.community);
  world.record(`revoke ${chosen.key}`);
  const outcome = model.invites.revoke(chosen, caller);
  const reply = await api.delete(`/v1/community/invites/${names.idOf(chosen.key)}`);
  world.expect(outcome, reply, outcome.status === 200 ? model.invites.render(chosen) : null);
}

async function importMember(world: World): Promise<void> {
  const { choices, model } = world;
  const community = choices.pick(model.communities.all);
  const { email } = choices.pick(world.people);
  const { api, caller } = await chooseModerator(world, community);
  const terms = choices.isOneIn(2) ? { level: 4, role: 'moderator' as const } : {};
  world.record(`import ${email} to ${community.name} ${JSON.stringify(terms)}`);
  const { outcome, result } = model.imports.run(community, caller, email, terms);
  const reply = await api.post(`${pathOf(world, community)}/members/import`, { members: [{ email, ...terms }] });
  world.expect(outcome, reply, result);
}

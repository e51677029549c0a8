import type { Api } from '../../support/api.js';
import { type Caller, KEY } from '../model/access.js';
import type { Community } from '../model/communities.js';
import type { User } from '../model/people.js';
import type { World } from '../world/world.js';
import { signIn } from './people.js';

/** Somebody who sends a request, with the credential. */
export interface Actor {
  readonly api: Api;
  readonly caller: Caller;
}

/** Returns the key in most cases, else a member; after a hand-over, often the new owner. */
export async function chooseModerator(world: World, community: Community): Promise<Actor> {
  const { choices } = world;
  if (community.owner !== null && choices.isOneIn(2)) return signInUser(world, community.owner);
  return choices.isOneIn(4) ? chooseMember(world, community) : actAsKey(world);
}

/** Returns an active member, or the key when the founder is alone. */
export async function chooseMember(world: World, community: Community): Promise<Actor> {
  const users = world.model.members
    .listOf(community)
    .flatMap(({ status, user }) => (status === 'active' && user !== null ? [user] : []));
  return users.length === 0 ? actAsKey(world) : signInUser(world, world.choices.pick(users));
}

/** Returns an active member in most cases, else somebody who may be an outsider. */
export async function chooseReader(world: World, community: Community): Promise<Actor> {
  return world.choices.isOneIn(4) ? choosePerson(world) : chooseMember(world, community);
}

export async function signInUser(world: World, { subject }: User): Promise<Actor> {
  const { api, user } = await signIn(
    world,
    world.people.find(({ name }) => name === subject)!,
  );
  return { api, caller: { user, isKey: false } };
}

async function choosePerson(world: World): Promise<Actor> {
  const { api, user } = await signIn(world, world.choices.pick(world.people));
  return { api, caller: { user, isKey: false } };
}

function actAsKey({ api }: World): Actor {
  return { api, caller: KEY };
}

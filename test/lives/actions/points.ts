import type { Community } from '../model/communities.js';
import type { Entry } from '../model/points.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';
import { chooseModerator } from './actors.js';
import { pathOf } from './members.js';

export const pointsActions: readonly Action[] = [
  ...Array.from({ length: 4 }, () => ({ name: 'award points', act: award })),
  ...Array.from({ length: 2 }, () => ({ name: 'reverse points', act: reverse })),
];

async function award(world: World): Promise<void> {
  const { choices, model } = world;
  const { community, email } = chooseTarget(world);
  const [source, points] = [choices.pick(['lesson-1', 'lesson-2', 'lesson-3']), choices.pick([7, 7, 30])];
  const { api, caller } = await chooseModerator(world, community);
  world.record(`${points} points for ${source} to ${email} in ${community.name}`);
  const { outcome, data } = model.points.award(community, caller, email, source, points);
  const body = { points, target_email: email, source_type: 'course', source_id: source };
  world.expect(outcome, await api.post(`${pathOf(world, community)}/points`, body), data);
}

/** Returns an active member in most cases, else somebody who may be no member. */
function chooseTarget({ choices, model, people }: World): { community: Community; email: string } {
  const members = model.communities.all
    .flatMap((community) => model.members.listOf(community))
    .filter(({ status, user }) => status === 'active' && user !== null);
  const isAnybody = choices.isOneIn(4) || members.length === 0;
  if (isAnybody) return { community: choices.pick(model.communities.all), email: choices.pick(people).email };
  const { community, user } = choices.pick(members);
  return { community, email: user!.email };
}

async function reverse(world: World): Promise<void> {
  const { model, names } = world;
  const entries = model.communities.all.flatMap((community) => model.points.listOf(community));
  if (entries.length === 0) return;
  const entry = chooseEntry(world, entries);
  const { community } = entry.member;
  const { api, caller } = await chooseModerator(world, community);
  world.record(`reverse ${entry.key} of ${entry.points} points in ${community.name}`);
  const { outcome, data } = model.points.reverse(entry, caller);
  const path = `${pathOf(world, community)}/points/${names.idOf(entry.key)}/reversal`;
  world.expect(outcome, await api.post(path, { reason: 'A mistake' }), data);
}

/** Returns an award that nobody has reversed in most cases, else an entry that may be a reversal or reversed. */
function chooseEntry({ choices }: World, entries: readonly Entry[]): Entry {
  const open = entries.filter((entry) => entry.reverses === null && !entries.some((one) => one.reverses === entry));
  return choices.pickMostly(open, entries);
}

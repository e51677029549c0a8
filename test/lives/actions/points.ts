import type { World } from '../world/world.js';
import type { Action } from './actions.js';
import { chooseModerator } from './actors.js';
import { pathOf } from './members.js';

export const pointsActions: readonly Action[] = [
  { name: 'award points', act: award },
  { name: 'award points', act: award },
  { name: 'reverse points', act: reverse },
];

async function award(world: World): Promise<void> {
  const { choices, model } = world;
  const community = choices.pick(model.communities.all);
  const { email } = choices.pick(world.people);
  const [source, points] = [choices.pick(['lesson-1', 'lesson-2', 'lesson-3']), choices.pick([7, 7, 30])];
  const { api, caller } = await chooseModerator(world, community);
  world.record(`${points} points for ${source} to ${email} in ${community.name}`);
  const { outcome, data } = model.points.award(community, caller, email, source, points);
  const body = { points, target_email: email, source_type: 'course', source_id: source };
  world.expect(outcome, await api.post(`${pathOf(world, community)}/points`, body), data);
}

async function reverse(world: World): Promise<void> {
  const { choices, model, names } = world;
  const entries = model.communities.all.flatMap((community) => model.points.listOf(community));
  if (entries.length === 0) return;
  const entry = choices.pick(entries);
  const { community } = entry.member;
  const { api, caller } = await chooseModerator(world, community);
  world.record(`reverse ${entry.key} of ${entry.points} points in ${community.name}`);
  const { outcome, data } = model.points.reverse(entry, caller);
  const path = `${pathOf(world, community)}/points/${names.idOf(entry.key)}/reversal`;
  world.expect(outcome, await api.post(path, { reason: 'A mistake' }), data);
}

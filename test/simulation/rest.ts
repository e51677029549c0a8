import { openChains } from '../support/invariants/deliveries.js';
import { behind } from '../support/invariants/read-models.js';
import { followedBuilds, unserved } from './builds.js';
import type { World } from './world.js';

/** What still has to come to rest, a sentence each. */
export async function restless(world: World): Promise<string[]> {
  const { events } = world.stores;
  const nowhere = await unserved(world);
  if (nowhere.length > 0) return nowhere.map((name) => `${name} has no build that is served`);
  return [...(await behind(world.held)), ...(await buildsBehind(world)), ...openChains(events.log), ...waitingJobs(world)];
}

async function buildsBehind(world: World): Promise<string[]> {
  const builds = await followedBuilds(world);
  return builds.filter(({ isBehind }) => isBehind).map(({ name }) => `${name} is behind`);
}

function waitingJobs({ stores: { jobs } }: World): string[] {
  return [...jobs.entries.values()].map(({ job: { key }, parked }) => `${key} ${parked ? 'is parked' : 'is still to run'}`);
}

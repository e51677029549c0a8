import { DAY_MS, iso } from '../../src/kernel/clock.js';
import { openChains } from '../support/invariants/deliveries.js';
import { behind } from '../support/invariants/read-models.js';
import { followedBuilds, unserved } from './builds.js';
import { BEGINNING } from './life.js';
import type { World } from './world.js';

/** What is due then is a chore of another day, and nothing that this life has left undone. */
const ANOTHER_DAY = iso(BEGINNING + DAY_MS);

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
  return [...jobs.entries.values()].flatMap(({ job: { key, due }, parked }) => {
    if (parked) return [`${key} is parked`];
    return due > ANOTHER_DAY ? [] : [`${key} is still to run`];
  });
}

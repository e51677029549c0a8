import { DEAD_LETTERS } from '../../src/engine/projecting/dead-letters.js';
import { DAY_MS, iso } from '../../src/kernel/clock.js';
import { categoryOfStream, fold } from '../../src/kernel/decider.js';
import type { Recorded, RecordedOf } from '../../src/kernel/event.js';
import { isOver, replayJob, type ReplayJobEvent } from '../../src/webhooks/domain/replay-job.js';
import { openChains } from '../support/invariants/deliveries.js';
import { behind } from '../support/invariants/read-models.js';
import { followedBuilds, unserved } from './builds.js';
import { BEGINNING } from './life.js';
import type { World } from './world.js';

/** Jobs due after this time are periodic maintenance, not unfinished work of this run. */
const ANOTHER_DAY = iso(BEGINNING + DAY_MS);

/** Returns the work that is not finished yet, a sentence each. */
export async function restless(world: World): Promise<string[]> {
  const { events, readModels } = world.stores;
  if (world.isDown) return ['a restore is in progress'];
  const letters = await readModels.count(DEAD_LETTERS, {});
  if (letters > 0) return [`${letters} dead letters`];
  const nowhere = await unserved(world);
  if (nowhere.length > 0) return nowhere.map((name) => `${name} has no active build`);
  return [
    ...(await behind(world.held)),
    ...(await buildsBehind(world)),
    ...openChains(events.log),
    ...openReplayJobs(events.log),
    ...waitingJobs(world),
  ];
}

function openReplayJobs(log: readonly Recorded[]): string[] {
  const events = log.filter(({ stream }) => categoryOfStream(stream) === replayJob.category) as RecordedOf<ReplayJobEvent>[];
  const jobs = Map.groupBy(events, ({ data }) => data.replayJobId);
  return [...jobs].flatMap(([id, ofJob]) => {
    const job = fold(replayJob, ofJob);
    return isOver(job) ? [] : [`${id} is ${job.status}`];
  });
}

async function buildsBehind(world: World): Promise<string[]> {
  const builds = await followedBuilds(world);
  return builds.filter(({ isBehind }) => isBehind).map(({ name }) => `${name} has not caught up`);
}

function waitingJobs({ stores: { jobs } }: World): string[] {
  return [...jobs.entries.values()].flatMap(({ job: { key, due }, parked }) => {
    if (parked) return [`${key} is parked`];
    return due > ANOTHER_DAY ? [] : [`${key} has not run yet`];
  });
}

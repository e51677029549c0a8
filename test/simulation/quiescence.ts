import { DEAD_LETTERS } from '../../src/engine/projections/dead-letters.js';
import { toIso } from '../../src/kernel/clock.js';
import { extractCategory, fold } from '../../src/kernel/decider.js';
import type { RecordedEvent, RecordedOf } from '../../src/kernel/event.js';
import { isReplayJobFinished, replayJobDecider, type ReplayJobEvent } from '../../src/webhooks/domain/replay-job.js';
import { findOpenChains } from '../support/invariants/deliveries.js';
import { findLaggingCheckpoints } from '../support/invariants/read-models.js';
import { findFollowedBuilds, findInactiveProjections } from './builds.js';
import { START_TIME } from './process-lifecycle.js';
import type { World } from './world.js';

/** Jobs due later than this after the start are timers or periodic maintenance, not unfinished work of this run. */
const MAINTENANCE_AFTER_MS = 30 * 60 * 1000;

/** Returns the work that is not finished yet, a sentence each. */
export async function findUnfinishedWork(world: World): Promise<string[]> {
  const { events, readModels } = world.stores;
  if (world.isDown) return ['a restore is in progress'];
  const deadLetters = await readModels.count(DEAD_LETTERS, {});
  if (deadLetters > 0) return [`${deadLetters} dead letters`];
  const inactive = await findInactiveProjections(world);
  if (inactive.length > 0) return inactive.map((name) => `${name} has no active build`);
  return [
    ...(await findLaggingCheckpoints(world.inspectedStores)),
    ...(await findLaggingBuilds(world)),
    ...findOpenChains(events.log),
    ...findOpenReplayJobs(events.log),
    ...findWaitingJobs(world),
  ];
}

function findOpenReplayJobs(log: readonly RecordedEvent[]): string[] {
  const events = log.filter(
    ({ stream }) => extractCategory(stream) === replayJobDecider.category,
  ) as RecordedOf<ReplayJobEvent>[];
  const jobs = Map.groupBy(events, ({ data }) => data.replayJobId);
  return [...jobs].flatMap(([id, ofJob]) => {
    const job = fold(replayJobDecider, ofJob);
    return isReplayJobFinished(job) ? [] : [`${id} is ${job.status}`];
  });
}

async function findLaggingBuilds(world: World): Promise<string[]> {
  const builds = await findFollowedBuilds(world);
  return builds.filter(({ isLagging }) => isLagging).map(({ name }) => `${name} has not caught up`);
}

function findWaitingJobs({ stores: { jobs }, passedMs }: World): string[] {
  const maintenanceFrom = toIso(START_TIME + passedMs + MAINTENANCE_AFTER_MS);
  return [...jobs.entries.values()].flatMap(({ job: { key, due }, parked }) => {
    if (parked) return [`${key} is parked`];
    return due > maintenanceFrom ? [] : [`${key} has not run yet`];
  });
}

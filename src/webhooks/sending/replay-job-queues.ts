import type { Job, NewJob } from '../../kernel/jobs.js';
import { laneIdOf } from '../domain/replay-lane.js';
import type { OnBehalf } from './chain-jobs.js';

/** The queue of the jobs that select delivery chains and hold them. */
export const REPLAY_JOBS = 'replay-jobs';
/** The queue of the jobs that redeliver to one endpoint each. */
export const REPLAY_LANES = 'replay-lanes';

interface ReplayJobWork extends OnBehalf {
  readonly replayJobId: string;
}

interface ReplayLaneWork extends ReplayJobWork {
  readonly endpointId: string;
}

export type ReplayJobRun = Job & { readonly data: ReplayJobWork };
export type ReplayLaneRun = Job & { readonly data: ReplayLaneWork };

export function replayJobWork(due: string, data: ReplayJobWork): NewJob {
  return { key: `replay:${data.replayJobId}`, queue: REPLAY_JOBS, due, data };
}

export function replayLaneWork(due: string, data: ReplayLaneWork): NewJob {
  return { key: `replay:${laneIdOf(data)}`, queue: REPLAY_LANES, due, data };
}

import type { Job, NewJob } from '../../kernel/jobs.js';
import { replayBatchIdOf } from '../domain/replay-batch.js';
import type { JobOrigin } from './delivery-jobs.js';

/** The queue of the jobs that select delivery chains and hold them. */
export const REPLAY_JOB_QUEUE = 'replay-jobs';
/** The queue of the jobs that redeliver to one endpoint each. */
export const REPLAY_BATCH_QUEUE = 'replay-batches';

interface ReplayJobRunData extends JobOrigin {
  readonly replayJobId: string;
}

interface ReplayBatchRunData extends ReplayJobRunData {
  readonly endpointId: string;
}

export type ReplayJobRun = Job & { readonly data: ReplayJobRunData };
export type ReplayBatchRun = Job & { readonly data: ReplayBatchRunData };

export function toReplayJobRun(due: string, data: ReplayJobRunData): NewJob {
  return { key: `replay:${data.replayJobId}`, queue: REPLAY_JOB_QUEUE, due, data };
}

export function toReplayBatchRun(due: string, data: ReplayBatchRunData): NewJob {
  return { key: `replay:${replayBatchIdOf(data)}`, queue: REPLAY_BATCH_QUEUE, due, data };
}

import type { Job, NewJob } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { replayBatchIdOf } from '../domain/replay-batch.js';
import type { JobOrigin } from './delivery-jobs.js';

interface ReplayJobRunData extends JobOrigin {
  readonly replayJobId: string;
}

interface ReplayBatchRunData extends ReplayJobRunData {
  readonly endpointId: string;
}

export type ReplayJobRun = Job<ReplayJobRunData>;
export type ReplayBatchRun = Job<ReplayBatchRunData>;

/** The queue of the jobs that select delivery chains and hold them. */
export const REPLAY_JOB_QUEUE = declareQueue<ReplayJobRunData>({ name: 'replay-jobs' });
/** The queue of the jobs that redeliver to one endpoint each. */
export const REPLAY_BATCH_QUEUE = declareQueue<ReplayBatchRunData>({ name: 'replay-batches' });

export function toReplayJobRun(due: string, data: ReplayJobRunData): NewJob {
  return REPLAY_JOB_QUEUE.createJob({ key: `replay:${data.replayJobId}`, due, data });
}

export function toReplayBatchRun(due: string, data: ReplayBatchRunData): NewJob {
  return REPLAY_BATCH_QUEUE.createJob({ key: `replay:${replayBatchIdOf(data)}`, due, data });
}

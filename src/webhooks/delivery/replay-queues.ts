import type { Job, NewJob } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import type { SortKey } from '../../kernel/read-models.js';
import { replayBatchIdOf } from '../domain/replay-batch.js';
import type { JobOrigin } from './delivery-jobs.js';

interface ReplayJobRunData extends JobOrigin {
  readonly replayJobId: string;
}

interface ReplayBatchRunData extends ReplayJobRunData {
  readonly endpointId: string;
}

/** `after`: the last event whose delivery is planned. `lastDue`: the latest due time of a planned attempt. */
interface BackfillRunData extends ReplayBatchRunData {
  readonly after: SortKey | null;
  readonly lastDue: string | null;
  readonly isPlanned: boolean;
}

export type ReplayJobRun = Job<ReplayJobRunData>;
export type ReplayBatchRun = Job<ReplayBatchRunData>;
export type BackfillRun = Job<BackfillRunData>;

/** The queue of the jobs that select delivery chains and hold them. */
export const REPLAY_JOB_QUEUE = declareQueue<ReplayJobRunData>({ name: 'replay-jobs' });
/** The queue of the jobs that redeliver to one endpoint each. */
export const REPLAY_BATCH_QUEUE = declareQueue<ReplayBatchRunData>({ name: 'replay-batches' });

/** The queue of the jobs that plan the deliveries of events that were never planned. */
export const BACKFILL_RUN_QUEUE = declareQueue<BackfillRunData>({ name: 'replay-backfills' });

export function toReplayJobRun(due: string, data: ReplayJobRunData): NewJob {
  return REPLAY_JOB_QUEUE.createJob({ key: `replay:${data.replayJobId}`, due, data });
}

export function toReplayBatchRun(due: string, data: ReplayBatchRunData): NewJob {
  return REPLAY_BATCH_QUEUE.createJob({ key: `replay:${replayBatchIdOf(data)}`, due, data });
}

export function toBackfillRun(due: string, batch: ReplayBatchRunData): NewJob {
  const data = { ...batch, after: null, lastDue: null, isPlanned: false };
  return BACKFILL_RUN_QUEUE.createJob({ key: `backfill:${batch.replayJobId}`, due, data });
}

import type { Filter } from 'mongodb';
import { newUuid } from '../../kernel/ids.js';
import type { Job, JobDetails, JobStatus, NewJob, StoredJob } from '../../kernel/jobs.js';

/** The values of a job without a lease; the empty lease sorts before every time. */
export const NO_LEASE = { holder: null, lease: '' } as const;

/** A stored job. */
export interface JobRow {
  /** The key of the job. */
  readonly _id: string;
  /** Differs for a job that is enqueued later under the same key. */
  readonly id: string;
  readonly queue: string;
  readonly due: string;
  /** JSON. */
  readonly data: string;
  readonly attempt: number;
  readonly failures: number;
  readonly holder: string | null;
  /** The end of the lease in ISO 8601, which sorts by time. */
  readonly lease: string;
  /** Identifies the last claim of the job. */
  readonly claim?: string;
  readonly error: string | null;
  readonly parked: boolean;
}

export function toJobRow({ key, queue, due, data }: NewJob): JobRow {
  const unrun = { attempt: 0, failures: 0, error: null, parked: false, ...NO_LEASE };
  return { _id: key, id: newUuid(), queue, due, data: JSON.stringify(data), ...unrun };
}

export function toRestoredRow({ attempt, failures, error, parked, ...job }: StoredJob): JobRow {
  return { ...toJobRow(job), attempt, failures, error, parked };
}

export function toJob({ _id, id, queue, due, data, attempt, failures }: JobRow): Job {
  return { id, key: _id, queue, due, data: JSON.parse(data) as object, attempt, failures };
}

export function toJobDetails(row: JobRow, now: string): JobDetails {
  const status = findStatus(row, now);
  const runner = status === 'running' ? { holder: row.holder, lease: row.lease } : { holder: null, lease: null };
  return { ...toJob(row), status, ...runner, error: row.error };
}

/** Returns the filter for jobs with this status at this time. */
export function toStatusFilter(status: JobStatus, now: string): Filter<JobRow> {
  if (status === 'parked') return { parked: { $eq: true } };
  return { parked: { $eq: false }, lease: status === 'running' ? { $gt: now } : { $lte: now } };
}

function findStatus({ parked, lease }: JobRow, now: string): JobStatus {
  if (parked) return 'parked';
  return lease > now ? 'running' : 'waiting';
}

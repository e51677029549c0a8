import type { Filter } from 'mongodb';
import { addMs } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import type { Job, JobDetails, JobStatus, NewJob, StoredJob } from '../../kernel/jobs.js';
import { LEASE_CLOCK_MARGIN_MS } from '../../kernel/leases.js';

/** The values of a job without a lease; the empty lease sorts before every time. */
export const NO_LEASE = { holder: null, lease: '' } as const;

export interface JobRow {
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

export function toStatusFilter(status: JobStatus, now: string): Filter<JobRow> {
  if (status === 'parked') return { parked: { $eq: true } };
  return { parked: { $eq: false }, ...(status === 'running' ? toLeasedFilter(now) : toFreeFilter(now)) };
}

/** Matches jobs without a lease, and those whose lease has ended or was taken while the clock was ahead. */
export function toFreeFilter(now: string): Filter<JobRow> {
  return { $or: [{ lease: { $lte: now } }, { lease: { $gt: findLatestLease(now) } }] };
}

/** Returns the latest end of a lease that was taken by the right time: every lease is shorter than the margin. */
export function findLatestLease(now: string): string {
  return addMs(now, LEASE_CLOCK_MARGIN_MS);
}

function toLeasedFilter(now: string): Filter<JobRow> {
  return { lease: { $gt: now, $lte: findLatestLease(now) } };
}

function findStatus({ parked, lease }: JobRow, now: string): JobStatus {
  if (parked) return 'parked';
  return lease > now && lease <= findLatestLease(now) ? 'running' : 'waiting';
}

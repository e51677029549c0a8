import type { Filter } from 'mongodb';
import { newUuid } from '../../kernel/ids.js';
import type { Job, JobEntry, JobStatus, KeptJob, NewJob } from '../../kernel/jobs.js';

/** In place of the end of a lease: nobody runs it. Earlier than every time. */
export const NOBODYS = { holder: null, lease: '' } as const;

/** A job as it is kept. */
export interface JobRow {
  /** Its key. */
  readonly _id: string;
  /** Of this put. */
  readonly id: string;
  readonly queue: string;
  readonly due: string;
  /** JSON. */
  readonly data: string;
  readonly attempt: number;
  readonly failures: number;
  readonly holder: string | null;
  /** Until when it is run; in ISO 8601, which sorts by time. */
  readonly lease: string;
  /** Of the claim that it was last given to. */
  readonly claim?: string;
  readonly error: string | null;
  readonly parked: boolean;
}

export function rowOf({ key, queue, due, data }: NewJob): JobRow {
  const unrun = { attempt: 0, failures: 0, error: null, parked: false, ...NOBODYS };
  return { _id: key, id: newUuid(), queue, due, data: JSON.stringify(data), ...unrun };
}

export function restoredRow({ attempt, failures, error, parked, ...job }: KeptJob): JobRow {
  return { ...rowOf(job), attempt, failures, error, parked };
}

export function jobOf({ _id, id, queue, due, data, attempt, failures }: JobRow): Job {
  return { id, key: _id, queue, due, data: JSON.parse(data) as object, attempt, failures };
}

export function entryOf(row: JobRow, now: string): JobEntry {
  const status = statusOf(row, now);
  const runner = status === 'running' ? { holder: row.holder, lease: row.lease } : { holder: null, lease: null };
  return { ...jobOf(row), status, ...runner, error: row.error };
}

/** Jobs of this status at this time. */
export function being(status: JobStatus, now: string): Filter<JobRow> {
  if (status === 'parked') return { parked: { $eq: true } };
  return { parked: { $eq: false }, lease: status === 'running' ? { $gt: now } : { $lte: now } };
}

function statusOf({ parked, lease }: JobRow, now: string): JobStatus {
  if (parked) return 'parked';
  return lease > now ? 'running' : 'waiting';
}

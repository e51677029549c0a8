import { toIso } from '../../../kernel/clock.js';
import type { ClaimOptions, Job, NewJob, StoredJob } from '../../../kernel/jobs.js';
import { isProcessDead } from '../../process-id.js';
import { LIMIT, type Statements } from '../sqlite.js';

const INSERT = 'insert into jobs (key, queue, due, data) values (?, ?, ?, ?) on conflict do nothing';
const RESTORE =
  'insert into jobs (key, queue, due, data, attempt, failures, error, parked) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing';
const HOLDERS = 'select distinct holder from jobs where lease > ?';
/** Has two parameters: the time, and the dead holders as JSON. */
export const IS_FREE = '(lease is null or lease <= ? or holder in (select value from json_each(?)))';
/** Matches jobs without a lease, in the words of their index. */
export const FREE = 'parked = 0 and lease is null';
const CLAIM = `update jobs set attempt = attempt + 1, holder = ?1, lease = ?2 where seq in (select seq from (
    select * from (select due, seq from jobs where queue = ?3 and ${FREE} and due <= ?4 order by due, seq ${LIMIT}6)
    union all
    select due, seq from jobs where queue = ?3 and lease is not null and parked = 0 and due <= ?4
      and (lease <= ?4 or holder in (select value from json_each(?5)))
  ) order by due, seq ${LIMIT}6)
  returning seq, key, queue, due, data, attempt, failures`;
const IS_CURRENT_RUN = 'where seq = ? and attempt = ? and holder is not null';
const NO_LEASE = 'holder = null, lease = null';

interface HolderRow {
  readonly holder: string;
}

type JobRow = Omit<Job, 'id' | 'queue' | 'data'> & { readonly data: string; readonly seq: number };

/** Identifies a run of a job. A job that is enqueued later under the same key has another number. */
export interface JobRun {
  readonly seq: number;
  readonly attempt: number;
}

export function jobOperations(sql: Statements) {
  return {
    enqueue(jobs: readonly (Omit<NewJob, 'data'> & { readonly data: string })[]): string[] {
      const added = jobs.filter(({ key, queue, due, data }) => sql.run(INSERT, key, queue, due, data) > 0);
      return [...new Set(added.map(({ queue }) => queue))];
    },

    restoreJobs(jobs: readonly (Omit<StoredJob, 'data'> & { readonly data: string })[]): void {
      for (const { key, queue, due, data, attempt, failures, error, parked } of jobs) {
        sql.run(RESTORE, key, queue, due, data, attempt, failures, error, Number(parked));
      }
    },

    claim(queue: string, { limit, leaseMs, holder }: ClaimOptions, nowMs: number): JobRow[] {
      const now = toIso(nowMs);
      return sql
        .all<JobRow>(CLAIM, holder, toIso(nowMs + leaseMs), queue, now, listDeadHolders(sql, now, queue), limit)
        .sort(compareByDue);
    },

    renewLease({ seq, attempt }: JobRun, lease: string): boolean {
      return sql.run(`update jobs set lease = ? ${IS_CURRENT_RUN}`, lease, seq, attempt) > 0;
    },

    complete({ seq, attempt }: JobRun): boolean {
      return sql.run(`delete from jobs ${IS_CURRENT_RUN}`, seq, attempt) > 0;
    },

    retry({ seq, attempt }: JobRun, due: string, error: string): boolean {
      return (
        sql.run(
          `update jobs set due = ?, error = ?, failures = failures + 1, ${NO_LEASE} ${IS_CURRENT_RUN}`,
          due,
          error,
          seq,
          attempt,
        ) > 0
      );
    },

    reschedule({ seq, attempt }: JobRun, due: string, reason: string, data: string): boolean {
      return (
        sql.run(
          `update jobs set due = ?, error = ?, data = ?, failures = 0, ${NO_LEASE} ${IS_CURRENT_RUN}`,
          due,
          reason,
          data,
          seq,
          attempt,
        ) > 0
      );
    },

    park({ seq, attempt }: JobRun, error: string): boolean {
      return (
        sql.run(
          `update jobs set parked = 1, error = ?, failures = failures + 1, ${NO_LEASE} ${IS_CURRENT_RUN}`,
          error,
          seq,
          attempt,
        ) > 0
      );
    },

    release(key: string, due: string, now: string): boolean {
      const free = `where key = ? and ${IS_FREE}`;
      return (
        sql.run(
          `update jobs set due = ?, parked = 0, failures = 0, ${NO_LEASE} ${free}`,
          due,
          key,
          now,
          listDeadHolders(sql, now),
        ) > 0
      );
    },

    cancel(key: string, now: string): boolean {
      return sql.run(`delete from jobs where key = ? and ${IS_FREE}`, key, now, listDeadHolders(sql, now)) > 0;
    },
  };
}

/** Lists the holders of leases after that time whose process has ended, as JSON. */
export function listDeadHolders(sql: Statements, now: string, queue?: string): string {
  const rows =
    queue === undefined ? sql.all<HolderRow>(HOLDERS, now) : sql.all<HolderRow>(`${HOLDERS} and queue = ?`, now, queue);
  return JSON.stringify(rows.map(({ holder }) => holder).filter(isProcessDead));
}

function compareByDue(a: JobRow, b: JobRow): number {
  if (a.due === b.due) return a.seq - b.seq;
  return a.due < b.due ? -1 : 1;
}

import type { ClaimOptions, Job, NewJob } from '../../../kernel/jobs.js';
import { iso } from '../../../kernel/clock.js';
import { isGone } from '../holder.js';
import type { Statements } from '../sqlite.js';

const INSERT = 'insert into jobs (key, queue, due, data) values (?, ?, ?, ?) on conflict do nothing';
const HOLDERS = 'select distinct holder from jobs where queue = ? and lease > ?';
const CLAIM = `update jobs set attempt = attempt + 1, holder = ?, lease = ? where seq in (
    select seq from jobs where queue = ? and parked = 0 and due <= ?
      and (lease is null or lease <= ? or holder in (select value from json_each(?)))
    order by due, seq limit ?)
  returning seq, key, queue, due, data, attempt`;
const HELD = 'where key = ? and attempt = ? and holder is not null';

type JobRow = Omit<Job, 'data'> & { readonly data: string; readonly seq: number };

/** Names the run of a job that tells its outcome. */
export type Run = Pick<Job, 'key' | 'attempt'>;

export function jobOperations(sql: Statements) {
  return {
    /** Whether any of them is new. */
    put(jobs: readonly (Omit<NewJob, 'data'> & { readonly data: string })[]): boolean {
      return jobs.map(({ key, queue, due, data }) => sql.run(INSERT, key, queue, due, data)).some((inserted) => inserted > 0);
    },

    claim(queue: string, { limit, leaseMs, holder }: ClaimOptions, nowMs: number): JobRow[] {
      const now = iso(nowMs);
      const gone = JSON.stringify(goneHolders(sql, queue, now));
      return sql.all<JobRow>(CLAIM, holder, iso(nowMs + leaseMs), queue, now, now, gone, limit).sort(byDue);
    },

    extend({ key, attempt }: Run, lease: string): boolean {
      return sql.run(`update jobs set lease = ? ${HELD}`, lease, key, attempt) > 0;
    },

    done({ key, attempt }: Run): boolean {
      return sql.run(`delete from jobs ${HELD}`, key, attempt) > 0;
    },

    retry({ key, attempt }: Run, due: string, error: string): boolean {
      return sql.run(`update jobs set due = ?, error = ?, holder = null, lease = null ${HELD}`, due, error, key, attempt) > 0;
    },

    park({ key, attempt }: Run, error: string): boolean {
      return sql.run(`update jobs set parked = 1, error = ?, holder = null, lease = null ${HELD}`, error, key, attempt) > 0;
    },
  };
}

export function goneHolders(sql: Statements, queue: string, now: string): string[] {
  return sql
    .all<{ holder: string }>(HOLDERS, queue, now)
    .map(({ holder }) => holder)
    .filter(isGone);
}

function byDue(a: JobRow, b: JobRow): number {
  if (a.due === b.due) return a.seq - b.seq;
  return a.due < b.due ? -1 : 1;
}

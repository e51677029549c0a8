import type { JobDetails, ListJobsOptions, QueueStats } from '../../kernel/jobs.js';
import type { Statements } from './sqlite.js';
import { FREE, IS_FREE, listDeadHolders } from './writer/jobs.js';

const STATUS = `case when parked = 1 then 'parked' when ${IS_FREE} then 'waiting' else 'running' end as status`;
const DETAILS = `select seq, key, queue, due, data, attempt, failures, holder, lease, error, ${STATUS} from jobs`;
/** Counts that triggers maintain for each queue with a job; only due and leased jobs are counted here. */
const COUNTED = 'select queue, free, parked from job_counts order by queue';
const COUNTED_OF =
  'select queue, free, parked from job_counts where queue in (select value from json_each(?)) order by queue';
/** Stops at a number of rows, so that a large backlog costs no more than a small one. */
const DUE = `select count(*) as due from (select 1 from jobs where queue = ? and ${FREE} and due <= ? limit 10000)`;
const NEXT = `select min(due) as due from jobs where queue = ? and ${FREE}`;
const LEASED = `select due, ${IS_FREE} as ended from jobs where queue = ? and lease is not null and parked = 0`;

type DetailsRow = Omit<JobDetails, 'id' | 'data'> & { readonly seq: number; readonly data: string };

export interface JobQuery extends ListJobsOptions {
  readonly key?: string;
}

export function listJobs(sql: Statements, { queue, status, after, key, limit }: JobQuery, now: string): JobDetails[] {
  const conditions = [
    ['key = ?', key],
    ['queue = ?', queue],
    ['status = ?', status],
    ['(due, key) > (?, ?)', after?.due, after?.key],
  ].filter(([, value]) => value !== undefined);
  const where = ['true', ...conditions.map(([condition]) => condition)].join(' and ');
  const values = conditions.flatMap(([, ...of]) => of as string[]);
  const rows = `select * from (${DETAILS}) where ${where} order by due, key limit ?`;
  return sql.all<DetailsRow>(rows, now, listDeadHolders(sql, now), ...values, limit).map(toJobDetails);
}

/** Omits empty queues. */
export function readQueueStats(sql: Statements, queues: readonly string[] | null, now: string): QueueStats[] {
  const deadHolders = listDeadHolders(sql, now);
  return readCounts(sql, queues)
    .map(({ queue, free, parked }) => {
      const leased = sql.all<{ due: string; ended: number }>(LEASED, now, deadHolders, queue);
      const ended = leased.filter((job) => job.ended === 1).map((job) => job.due);
      const { due } = sql.get<{ due: number }>(DUE, queue, now)!;
      const oldest = [sql.get<{ due: string | null }>(NEXT, queue)!.due, ...ended]
        .filter((time) => time !== null)
        .sort();
      return {
        queue,
        waiting: free + ended.length,
        due: due + ended.filter((time) => time <= now).length,
        running: leased.length - ended.length,
        parked,
        oldestDue: oldest[0] ?? null,
      };
    })
    .filter(({ waiting, running, parked }) => waiting + running + parked > 0);
}

function readCounts(
  sql: Statements,
  queues: readonly string[] | null,
): { readonly queue: string; readonly free: number; readonly parked: number }[] {
  return queues === null ? sql.all(COUNTED) : sql.all(COUNTED_OF, JSON.stringify(queues));
}

function toJobDetails({ seq, data, ...row }: DetailsRow): JobDetails {
  const withoutLease = row.status === 'running' ? {} : { holder: null, lease: null };
  return { id: `${seq}`, ...row, data: JSON.parse(data) as object, ...withoutLease };
}

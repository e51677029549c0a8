import type { JobEntry, ListJobs, QueueSize } from '../../kernel/jobs.js';
import { goneHolders, IS_FREE } from './writer/jobs.js';
import type { Statements } from './sqlite.js';

const STATUS = `case when parked = 1 then 'parked' when ${IS_FREE} then 'waiting' else 'running' end as status`;
const ENTRIES = `select seq, key, queue, due, data, attempt, failures, holder, lease, error, ${STATUS} from jobs`;
const SIZES = `select queue, sum(status = 'waiting') as waiting,
    sum(status = 'waiting' and due <= ?) as due, sum(status = 'running') as running, sum(status = 'parked') as parked,
    min(iif(status = 'waiting', due, null)) as oldestDue
  from (select queue, due, ${STATUS} from jobs) group by queue order by queue`;

type EntryRow = Omit<JobEntry, 'id' | 'data'> & { readonly seq: number; readonly data: string };

export interface WhichJobs extends ListJobs {
  readonly key?: string;
}

export function jobEntries(sql: Statements, { queue, status, after, key, limit }: WhichJobs, now: string): JobEntry[] {
  const conditions = [
    ['key = ?', key],
    ['queue = ?', queue],
    ['status = ?', status],
    ['(due, key) > (?, ?)', after?.due, after?.key],
  ].filter(([, value]) => value !== undefined);
  const where = ['true', ...conditions.map(([condition]) => condition)].join(' and ');
  const values = conditions.flatMap(([, ...of]) => of as string[]);
  const rows = `select * from (${ENTRIES}) where ${where} order by due, key limit ?`;
  return sql.all<EntryRow>(rows, now, goneHolders(sql, now), ...values, limit).map(entryOf);
}

export function queueSizes(sql: Statements, now: string): QueueSize[] {
  return sql.all<QueueSize>(SIZES, now, now, goneHolders(sql, now)).map((row) => ({ ...row }));
}

function entryOf({ seq, data, ...row }: EntryRow): JobEntry {
  const nobody = row.status === 'running' ? {} : { holder: null, lease: null };
  return { id: `${seq}`, ...row, data: JSON.parse(data) as object, ...nobody };
}

import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { toIso } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import type { ClaimOptions } from '../../kernel/jobs.js';
import { READ_TIMEOUT } from './connections.js';
import { type JobRow, toStatusFilter } from './job-rows.js';
import type { StoreTime } from './server-time.js';
import { UNORDERED } from './upserts.js';

type Lease = Pick<JobRow, 'holder' | 'lease'>;

/** The limit of rounds: in each round one of the competing processes claims each job. */
const MAX_ROUNDS = 50;

/** After a lost round the process chooses among this many times more jobs than it wants. */
const CHOICE_FACTOR = 8;

/**
 * Claims due jobs that are not running: it reads the oldest and takes those that are still unchanged. After losing to
 * other processes it chooses jobs at a random offset near the front, so that many processes do not compete for the
 * same few jobs.
 */
export async function claimJobs(
  jobs: Collection<JobRow>,
  time: StoreTime,
  queue: string,
  options: ClaimOptions,
): Promise<JobRow[]> {
  const taken: JobRow[] = [];
  for (let round = 0; round < MAX_ROUNDS && taken.length < options.limit; round++) {
    const now = await time.now();
    const wanted = options.limit - taken.length;
    const front = await findOldest(jobs, queue, toIso(now), round === 0 ? wanted : CHOICE_FACTOR * wanted);
    if (front.length === 0) break;
    const seen = pickSlice(front, wanted, Math.random());
    taken.push(
      ...(await takeJobs(jobs, seen, toIso(now), { holder: options.holder, lease: toIso(now + options.leaseMs) })),
    );
  }
  return taken.sort(compareByDue);
}

/** Returns adjacent items. The random number, at least 0 and below 1, chooses their offset. */
export function pickSlice<T>(front: readonly T[], wanted: number, random: number): readonly T[] {
  const from = Math.floor(random * (front.length - wanted + 1));
  return front.slice(Math.max(0, from), Math.max(0, from) + wanted);
}

function findOldest(jobs: Collection<JobRow>, queue: string, now: string, limit: number): Promise<JobRow[]> {
  const free = { queue: { $eq: queue }, due: { $lte: now }, ...toStatusFilter('waiting', now) };
  return jobs.find(free, { sort: { due: 1, _id: 1 }, limit, batchSize: limit, ...READ_TIMEOUT }).toArray();
}

async function takeJobs(
  jobs: Collection<JobRow>,
  seen: readonly JobRow[],
  now: string,
  lease: Lease,
): Promise<JobRow[]> {
  const change = { ...lease, claim: newUuid() };
  const takings = seen.map((row) => toTakeUpdate(row, now, change));
  const { matchedCount } = await jobs.bulkWrite(takings, UNORDERED);
  if (matchedCount === seen.length) return seen.map((row) => ({ ...row, ...change, attempt: row.attempt + 1 }));
  return matchedCount === 0
    ? []
    : jobs.find({ _id: { $in: seen.map(({ _id }) => _id) }, claim: { $eq: change.claim } }).toArray();
}

/**
 * The filter checks again that the job is not running: some servers return a row in a later state than the query
 * matched.
 */
function toTakeUpdate(
  { _id, id, due, attempt }: JobRow,
  now: string,
  change: Partial<JobRow>,
): AnyBulkWriteOperation<JobRow> {
  const asSeen = { _id: { $eq: _id }, id: { $eq: id }, due: { $eq: due }, attempt: { $eq: attempt } };
  return {
    updateOne: {
      filter: { ...asSeen, ...toStatusFilter('waiting', now) },
      update: { $set: change, $inc: { attempt: 1 } },
    },
  };
}

function compareByDue(a: JobRow, b: JobRow): number {
  if (a.due !== b.due) return a.due < b.due ? -1 : 1;
  return a._id < b._id ? -1 : 1;
}

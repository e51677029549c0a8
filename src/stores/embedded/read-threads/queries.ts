import type { ReadAllOptions } from '../../../kernel/event-store.js';
import type { IdempotencyKey, StoredClaim } from '../../../kernel/idempotency.js';
import type { JobDetails, QueueStats } from '../../../kernel/jobs.js';
import type { FindQuery, Where } from '../../../kernel/read-models.js';
import type { VaultEntry } from '../../../kernel/vault.js';
import { type Collection, CollectionCache } from '../collections.js';
import { findHourlySizes, HourlyReader, isDirect } from '../hourly-sizes.js';
import { type JobQuery, listJobs, readQueueStats } from '../job-details.js';
import { type LogPage, readLogPage } from '../log.js';
import { countRows, readBodies } from '../query.js';
import { isMergedPage, readSlice, type SliceRows } from '../slices.js';
import type { Statements } from '../sqlite.js';
import { listStoredClaims } from '../writer/idempotency.js';

/** Creates all queries whose cost depends on the size of the store. A missing collection reads as empty. */
export function createQueries(sql: Statements) {
  const collections = new CollectionCache();
  const withCollection = <T>(name: string, empty: T, work: (known: Collection) => T): T => {
    const known = collections.find(sql, name);
    return known === undefined ? empty : work(known);
  };
  return {
    /** Returns documents as JSON. */
    find: (collection: string, find: FindQuery): string[] =>
      withCollection(collection, [], (known) => {
        if (isMergedPage(known, find)) return [...readSlice(sql, known, find).bodies];
        const hourly = isDirect(find) ? undefined : findHourlySizes(known, find.where, find.orderBy);
        return hourly === undefined
          ? readBodies(sql, known, find)
          : new HourlyReader(sql, known, hourly).readPage(find);
      }),

    readSlice: (collection: string, find: FindQuery): SliceRows =>
      withCollection(collection, { bodies: [], next: null }, (known) => readSlice(sql, known, find)),

    count: (collection: string, where: Where): number =>
      withCollection(collection, 0, (known) => {
        const hourly = findHourlySizes(known, where);
        return hourly === undefined ? countRows(sql, known, where) : new HourlyReader(sql, known, hourly).count(where);
      }),

    readLog: (options: ReadAllOptions): LogPage => readLogPage(sql, options),

    listJobs: (which: JobQuery, now: string): JobDetails[] => listJobs(sql, which, now),

    readQueueStats: (queues: readonly string[] | null, now: string): QueueStats[] => readQueueStats(sql, queues, now),

    listClaims: (after: IdempotencyKey | null, limit: number, now: number): StoredClaim[] =>
      listStoredClaims(sql, after, limit, now),

    listVaultEntries: (after: string, limit: number): VaultEntry[] =>
      sql.all<VaultEntry>('select id, sealed as encrypted from vault where id > ? order by id limit ?', after, limit),
  };
}

export type Queries = ReturnType<typeof createQueries>;
export type QueryName = keyof Queries;

/** A query as it is sent to a reader thread. */
export type QueryCall<N extends QueryName = QueryName> = readonly [name: N, ...args: Parameters<Queries[N]>];

export function runQuery(all: Queries, [name, ...args]: QueryCall): unknown {
  return (all as Record<QueryName, (...args: unknown[]) => unknown>)[name](...args);
}

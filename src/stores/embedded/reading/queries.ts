import type { ReadAllOptions } from '../../../kernel/event-store.js';
import type { IdempotencyKey, KeptClaim } from '../../../kernel/idempotency.js';
import type { JobEntry, QueueSize } from '../../../kernel/jobs.js';
import type { Find, Where } from '../../../kernel/read-models.js';
import type { VaultEntry } from '../../../kernel/vault.js';
import { Collections, type Collection } from '../collections.js';
import { jobEntries, queueSizes, type WhichJobs } from '../job-entries.js';
import { logPage, type LogPage } from '../log.js';
import { hourlyFor, Hours, isDirect } from '../hours.js';
import { counted, found } from '../query.js';
import { sliced, type SliceRows } from '../slices.js';
import type { Statements } from '../sqlite.js';
import { keptClaims } from '../writer/idempotency.js';

/** Creates all queries whose cost depends on the size of the store. A missing collection reads as empty. */
export function queries(sql: Statements) {
  const collections = new Collections();
  const within = <T>(name: string, empty: T, work: (known: Collection) => T): T => {
    const known = collections.find(sql, name);
    return known === undefined ? empty : work(known);
  };
  return {
    /** Returns documents as JSON. */
    find: (collection: string, find: Find): string[] =>
      within(collection, [], (known) => {
        const hourly = isDirect(find) ? undefined : hourlyFor(known, find.where, find.orderBy);
        return hourly === undefined ? found(sql, known, find) : new Hours(sql, known, hourly).page(find);
      }),

    slice: (collection: string, find: Find): SliceRows =>
      within(collection, { bodies: [], next: null }, (known) => sliced(sql, known, find)),

    count: (collection: string, where: Where): number =>
      within(collection, 0, (known) => {
        const hourly = hourlyFor(known, where);
        return hourly === undefined ? counted(sql, known, where) : new Hours(sql, known, hourly).count(where);
      }),

    log: (options: ReadAllOptions): LogPage => logPage(sql, options),

    jobEntries: (which: WhichJobs, now: string): JobEntry[] => jobEntries(sql, which, now),

    queueSizes: (now: string): QueueSize[] => queueSizes(sql, now),

    claims: (after: IdempotencyKey | null, limit: number, now: number): KeptClaim[] => keptClaims(sql, after, limit, now),

    vaultEntries: (after: string, limit: number): VaultEntry[] =>
      sql.all<VaultEntry>('select id, sealed from vault where id > ? order by id limit ?', after, limit),
  };
}

export type Queries = ReturnType<typeof queries>;
export type QueryName = keyof Queries;

/** A query as it is sent to a reader thread. */
export type QueryCall<N extends QueryName = QueryName> = readonly [name: N, ...args: Parameters<Queries[N]>];

export function answer(all: Queries, [name, ...args]: QueryCall): unknown {
  return (all as Record<QueryName, (...args: unknown[]) => unknown>)[name](...args);
}

import type { Meta, Recorded } from '../../kernel/event.js';
import type { Filter, Page, ReadAllOptions } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import type { Lately } from './lately.js';
import { positionOf, rowOf } from './positions.js';
import type { Statements } from './sqlite.js';

/** The number of events that one filtered page scans at most: other queries wait for the same thread. */
const MAX_LOOKED_THROUGH = 10_000;

export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, meta';

export interface EventRow {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** A range of rows; both ends are inclusive. */
interface Range {
  readonly first: number;
  readonly last: number;
}

export function recorded({ position, stream, revision, id, type, data, meta }: EventRow): Recorded {
  return { id, type, data: JSON.parse(data) as object, meta: JSON.parse(meta) as Meta, stream, revision, position: positionOf(position) };
}

export function headOf(sql: Statements): number {
  return sql.get<{ head: number | null }>('select max(position) as head from events')!.head ?? 0;
}

/** A page of the log before its events are decoded. */
export interface LogPage extends Omit<Page, 'events'> {
  readonly rows: readonly EventRow[];
}

export function pageOf(sql: Statements, options: ReadAllOptions, lately: Lately): Page {
  return lastKnown(sql, options, lately) ?? decoded(logPage(sql, options), lately);
}

export function decoded({ rows, ...page }: LogPage, lately: Lately): Page {
  return { ...page, events: rows.map((row) => lately.of(row)) };
}

export function logPage(sql: Statements, options: ReadAllOptions): LogPage {
  const { after, before, backwards = false } = options;
  const asked = rangeOf(sql, options);
  if (asked.first > asked.last) return { rows: [], next: (backwards ? before : after) ?? START, caughtUp: true };
  return backwards ? backwardsFrom(sql, asked, options) : forwardsFrom(sql, asked, options);
}

/** Returns the page from the cache, or null when an event is not cached. */
function lastKnown(sql: Statements, options: ReadAllOptions, lately: Lately): Page | null {
  const { first, last } = rangeOf(sql, options);
  if (options.filter || options.backwards || first > last || last - first >= options.limit) return null;
  const events = lately.between(first, last);
  return events && { events, next: positionOf(last), caughtUp: true };
}

function rangeOf(sql: Statements, { after, before }: ReadAllOptions): Range {
  const head = headOf(sql);
  return { first: rowOf(after ?? START) + 1, last: before === undefined ? head : Math.min(rowOf(before) - 1, head) };
}

function forwardsFrom(sql: Statements, asked: Range, options: ReadAllOptions): LogPage {
  const last = options.filter ? Math.min(asked.last, asked.first + MAX_LOOKED_THROUGH - 1) : asked.last;
  const rows = rowsOf(sql, { first: asked.first, last }, 'asc', options);
  const reached = rows.length === options.limit ? rows.at(-1)!.position : last;
  return { rows, next: positionOf(reached), caughtUp: reached === asked.last };
}

function backwardsFrom(sql: Statements, asked: Range, options: ReadAllOptions): LogPage {
  const first = options.filter ? Math.max(asked.first, asked.last - MAX_LOOKED_THROUGH + 1) : asked.first;
  const rows = rowsOf(sql, { first, last: asked.last }, 'desc', options);
  const reached = rows.length === options.limit ? rows.at(-1)!.position : first;
  return { rows, next: positionOf(reached), caughtUp: reached === asked.first };
}

function rowsOf(sql: Statements, { first, last }: Range, order: 'asc' | 'desc', { filter, limit }: ReadAllOptions): EventRow[] {
  const { condition, values } = conditionOf(filter);
  return sql.all<EventRow>(
    `select ${EVENT_COLUMNS} from events not indexed where position between ? and ? and ${condition} order by position ${order} limit ?`,
    first,
    last,
    ...values,
    limit,
  );
}

function conditionOf(filter: Filter | undefined): { condition: string; values: string[] } {
  if (filter === undefined) return { condition: 'true', values: [] };
  const begins = filter.prefixes.map(() => 'substr(stream, 1, length(?)) = ?');
  return { condition: `(${['false', ...begins].join(' or ')})`, values: filter.prefixes.flatMap((prefix) => [prefix, prefix]) };
}

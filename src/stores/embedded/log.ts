import type { EventPage, ReadAllOptions, StreamFilter } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import type { EventCache } from './event-cache.js';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';
import { toPosition, toRowNumber } from './positions.js';
import { LIMIT, type Statements } from './sqlite.js';

/** The number of events that one filtered page scans at most: other queries wait for the same thread. */
const MAX_SCANNED = 10_000;

/** A range of rows; both ends are inclusive. */
interface Range {
  readonly first: number;
  readonly last: number;
}

export function readHead(sql: Statements): number {
  return sql.get<{ head: number | null }>('select max(position) as head from events')!.head ?? 0;
}

/** A page of the log before its events are decoded. */
export interface LogPage extends Omit<EventPage, 'events'> {
  readonly rows: readonly EventRow[];
}

export function readPage(sql: Statements, options: ReadAllOptions, cache: EventCache): EventPage {
  return readCachedPage(sql, options, cache) ?? decodePage(readLogPage(sql, options), cache);
}

export function decodePage({ rows, ...page }: LogPage, cache: EventCache): EventPage {
  return { ...page, events: rows.map((row) => cache.decode(row)) };
}

export function readLogPage(sql: Statements, options: ReadAllOptions): LogPage {
  const { after, before, backwards = false } = options;
  const asked = toRange(sql, options);
  if (asked.first > asked.last) return { rows: [], next: (backwards ? before : after) ?? START, caughtUp: true };
  return backwards ? readBackwards(sql, asked, options) : readForwards(sql, asked, options);
}

/**
 * Returns the page from the cache, or null when its first event is not cached. The page ends before the next event that
 * is not cached: an append of this process is in the file a moment before it is in the cache.
 */
function readCachedPage(sql: Statements, options: ReadAllOptions, cache: EventCache): EventPage | null {
  if (options.filter || options.backwards) return null;
  const { first, last } = toRange(sql, options);
  const events = cache.getRange(first, Math.min(last, first + options.limit - 1));
  if (events.length === 0) return null;
  const reached = first + events.length - 1;
  return { events, next: toPosition(reached), caughtUp: reached === last };
}

function toRange(sql: Statements, { after, before }: ReadAllOptions): Range {
  const head = readHead(sql);
  return {
    first: toRowNumber(after ?? START) + 1,
    last: before === undefined ? head : Math.min(toRowNumber(before) - 1, head),
  };
}

function readForwards(sql: Statements, asked: Range, options: ReadAllOptions): LogPage {
  const last = options.filter ? Math.min(asked.last, asked.first + MAX_SCANNED - 1) : asked.last;
  const rows = readRows(sql, { first: asked.first, last }, 'asc', options);
  const reached = rows.length === options.limit ? rows.at(-1)!.position : last;
  return { rows, next: toPosition(reached), caughtUp: reached === asked.last };
}

function readBackwards(sql: Statements, asked: Range, options: ReadAllOptions): LogPage {
  const first = options.filter ? Math.max(asked.first, asked.last - MAX_SCANNED + 1) : asked.first;
  const rows = readRows(sql, { first, last: asked.last }, 'desc', options);
  const reached = rows.length === options.limit ? rows.at(-1)!.position : first;
  return { rows, next: toPosition(reached), caughtUp: reached === asked.first };
}

function readRows(
  sql: Statements,
  { first, last }: Range,
  order: 'asc' | 'desc',
  { filter, limit }: ReadAllOptions,
): EventRow[] {
  const { condition, values } = toCondition(filter);
  return sql.all<EventRow>(
    `select ${EVENT_COLUMNS} from events not indexed where position between ? and ? and ${condition} order by position ${order} ${LIMIT}`,
    first,
    last,
    ...values,
    limit,
  );
}

function toCondition(filter: StreamFilter | undefined): { condition: string; values: string[] } {
  if (filter === undefined) return { condition: 'true', values: [] };
  const begins = filter.prefixes.map(() => 'substr(stream, 1, length(?)) = ?');
  return {
    condition: `(${['false', ...begins].join(' or ')})`,
    values: filter.prefixes.flatMap((prefix) => [prefix, prefix]),
  };
}

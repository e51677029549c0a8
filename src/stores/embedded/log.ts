import type { Meta, Recorded } from '../../kernel/event.js';
import type { Filter, Page, ReadAllOptions } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import type { Lately } from './lately.js';
import { positionOf, rowOf } from './positions.js';
import type { Statements } from './sqlite.js';

/** How much of the log one filtered page looks through: the thread that reads has other things to do. */
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

/** Rows from the first to the last, both inclusive. */
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

export function pageOf(sql: Statements, options: ReadAllOptions, lately: Lately): Page {
  const { after, before, backwards = false } = options;
  const head = headOf(sql);
  const asked = { first: rowOf(after ?? START) + 1, last: before === undefined ? head : Math.min(rowOf(before) - 1, head) };
  if (asked.first > asked.last) return { events: [], next: (backwards ? before : after) ?? START, caughtUp: true };
  return backwards ? backwardsFrom(sql, asked, options, lately) : forwardsFrom(sql, asked, options, lately);
}

function forwardsFrom(sql: Statements, asked: Range, options: ReadAllOptions, lately: Lately): Page {
  const known = options.filter || asked.last - asked.first >= options.limit ? null : lately.between(asked.first, asked.last);
  if (known !== null) return { events: known, next: positionOf(asked.last), caughtUp: true };
  const last = options.filter ? Math.min(asked.last, asked.first + MAX_LOOKED_THROUGH - 1) : asked.last;
  const rows = rowsOf(sql, { first: asked.first, last }, 'asc', options);
  const reached = rows.length === options.limit ? rows.at(-1)!.position : last;
  return { events: rows.map((row) => lately.of(row)), next: positionOf(reached), caughtUp: reached === asked.last };
}

function backwardsFrom(sql: Statements, asked: Range, options: ReadAllOptions, lately: Lately): Page {
  const first = options.filter ? Math.max(asked.first, asked.last - MAX_LOOKED_THROUGH + 1) : asked.first;
  const rows = rowsOf(sql, { first, last: asked.last }, 'desc', options);
  const reached = rows.length === options.limit ? rows.at(-1)!.position : first;
  return { events: rows.map((row) => lately.of(row)), next: positionOf(reached), caughtUp: reached === asked.first };
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

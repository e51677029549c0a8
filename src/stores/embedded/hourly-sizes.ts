import { isListed, isScalar } from '../../kernel/conditions.js';
import type { FindQuery, HourlySizes, Where } from '../../kernel/read-models.js';
import { type Collection, hourlyKeyOf, tableOf, toExpression, toGroups } from './collections.js';
import { joinConditions, type Sql, toCondition } from './query.js';
import { HOUR_LENGTH, isTimeRange, type Span, type TimeRange, toHourCondition, toSpan } from './spans.js';
import type { Statements } from './sqlite.js';

/** Sorting up to this many documents is faster than finding them by their hours. */
const MAX_SORTED = 500;

interface HourSize {
  readonly hour: string;
  readonly size: number;
}

/**
 * Finds hourly sizes that can count a filter: the filter fixes their group and has otherwise only ranges of their
 * times.
 */
export function findHourlySizes({ hourly }: Collection, where: Where, orderBy?: string): HourlySizes | undefined {
  const usable = hourly.filter(
    ({ group, times }) =>
      (orderBy === undefined || times.includes(orderBy)) &&
      group.every((path) => isListed(where[path])) &&
      Object.entries(where).every(
        ([path, condition]) => group.includes(path) || (times.includes(path) && isTimeRange(condition)),
      ),
  );
  return (
    usable.find(({ times }) => where[times[0]] !== undefined) ??
    usable.find(({ times }) => times[0] === orderBy) ??
    usable[0]
  );
}

/**
 * Returns whether an index scan is as fast as hourly sizes: the query skips no documents, and only its order path has
 * a range.
 */
export function isDirect({ where, orderBy, after, offset = 0 }: FindQuery): boolean {
  if (after !== undefined) return true;
  return offset === 0 && Object.entries(where).every(([path, condition]) => path === orderBy || isScalar(condition));
}

/** Answers queries of a collection from its hourly sizes. */
export class HourlyReader {
  constructor(
    private readonly sql: Statements,
    private readonly collection: Collection,
    private readonly hourly: HourlySizes,
  ) {}

  count(where: Where): number {
    return sum(this.readSizes(where, null));
  }

  /**
   * Returns the bodies of a page with a large offset, or of a list whose filter has a range of another time than its
   * order. The sizes show which hours hold the page, and only these hours are read.
   */
  readPage(find: FindQuery): string[] {
    const { where, orderBy, ascending = false, offset = 0, limit } = find;
    const hours = this.readSizes(where, orderBy).sort((a, b) => (a.hour < b.hour === ascending ? -1 : 1));
    if (sum(hours) <= MAX_SORTED) {
      const other = this.hourly.times.find((time) => time !== orderBy && where[time] !== undefined);
      return this.readBodies(find, other ?? orderBy);
    }
    const page: string[] = [];
    let skipped = offset;
    for (const { hour, size } of hours) {
      if (page.length >= limit) break;
      const within = { ...where, [orderBy]: toHourCondition(where[orderBy] as TimeRange | undefined, hour) };
      const part = { ...find, where: within, offset: skipped, limit: limit - page.length };
      if (skipped < size) page.push(...this.readBodies(part, orderBy));
      skipped = Math.max(0, skipped - size);
    }
    return page;
  }

  /** Counts the matching documents per hour of the time `by`; null: in total. */
  private readSizes(where: Where, by: string | null): HourSize[] {
    const spans = this.hourly.times.map((time) => toSpan(where[time] as TimeRange | undefined));
    const edges = spans.flatMap(({ edges }, i) =>
      edges.map((edge) => this.countPartialHours(where, edge, spans.slice(0, i), by)),
    );
    const merged = new Map<string, number>();
    for (const { hour, size } of [...this.readWholeHours(where, spans, by), ...edges.flat()])
      merged.set(hour, (merged.get(hour) ?? 0) + size);
    return [...merged].map(([hour, size]) => ({ hour, size }));
  }

  private readWholeHours(
    where: Where,
    [first, second = toSpan(undefined)]: readonly Span[],
    by: string | null,
  ): readonly HourSize[] {
    const { group, times } = this.hourly;
    const hour = by === null ? `''` : by === times[0] ? 'first' : 'second';
    const text = `select ${hour} as hour, sum(size) as size from hourly_sizes
      where collection = ? and paths = ? and "values" in (select value from json_each(?)) and first >= ? and first < ? and second >= ? and second < ? group by 1`;
    const values = JSON.stringify(toGroups(where, [...group].sort()));
    const { low, high } = first!;
    return this.sql.all<HourSize>(
      text,
      this.collection.name,
      hourlyKeyOf(this.hourly),
      values,
      low,
      high,
      second.low,
      second.high,
    );
  }

  /** @param before the spans of the times before the time of the edge; documents at their edges are counted there */
  private countPartialHours(
    where: Where,
    edge: TimeRange,
    before: readonly Span[],
    by: string | null,
  ): readonly HourSize[] {
    const { times } = this.hourly;
    const column = (time: string) => `coalesce(${toExpression(time, this.collection.columns)}, '')`;
    const whole = before.map(({ low, high }, i) => {
      const time = column(times[i]!);
      return { text: `${time} >= ? and ${time} < ?`, values: [low, high] };
    });
    const indexedTime = times[before.length]!;
    const { text, values } = joinConditions([
      this.toIndexedFilter({ ...where, [indexedTime]: edge }, indexedTime),
      ...whole,
    ]);
    const hour = by === null ? `''` : `substr(${column(by)}, 1, ${HOUR_LENGTH})`;
    const table = tableOf(this.collection.name);
    return this.sql.all<HourSize>(
      `select ${hour} as hour, count(*) as size from ${table} where ${text} group by 1`,
      ...values,
    );
  }

  private readBodies(
    { where, orderBy, ascending = false, limit, offset = 0 }: FindQuery,
    indexedTime: string,
  ): string[] {
    const [table, order] = [tableOf(this.collection.name), ascending ? 'asc' : 'desc'];
    const column = `${indexedTime === orderBy ? '' : '+'}${toExpression(orderBy, this.collection.columns)}`;
    const { text, values } = this.toIndexedFilter(where, indexedTime);
    const listed = `select rowid as listed from ${table} where ${text} order by ${column} ${order}, id ${order} limit ? offset ?`;
    const rows = this.sql.all<{ body: string }>(
      `select body from (${listed}) cross join ${table} on ${table}.rowid = listed`,
      ...values,
      limit,
      offset,
    );
    return rows.map(({ body }) => body);
  }

  /** Returns the filter for an index on this time: a `+` prevents SQLite from choosing an index on another time. */
  private toIndexedFilter(where: Where, indexedTime: string): Sql {
    const conditions = Object.entries(where).map(([path, condition]) => {
      const column = toExpression(path, this.collection.columns);
      return toCondition(this.hourly.times.includes(path) && path !== indexedTime ? `+${column}` : column, condition);
    });
    return joinConditions([{ text: 'body is not null', values: [] }, ...conditions]);
  }
}

function sum(hours: readonly HourSize[]): number {
  return hours.reduce((all, { size }) => all + size, 0);
}

import { isListed, isScalar, isTimeRange, type TimeRange } from '../../kernel/conditions.js';
import type { FindQuery, HourlySizes, Where } from '../../kernel/read-models.js';
import { type Collection, hourlyKeyOf, tableOf, toExpression, toGroups } from './collections.js';
import { readParts, type SpanSize, sumSizes } from './page-parts.js';
import { joinConditions, type Sql, toCondition } from './query.js';
import { DAY_LENGTH, HOUR_LENGTH, type Span, toDayCondition, toHourCondition, toSpan } from './spans.js';
import { type Statements, toLimit } from './sqlite.js';

/** Sorting up to this many documents is faster than finding them by their hours. */
const MAX_SORTED = 500;

/** The time by which documents are counted, and how many of its first characters: those of a day or of an hour. */
interface Grouping {
  readonly time: string;
  readonly length: number;
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
    return sumSizes(this.readSizes(where, null));
  }

  /**
   * Returns the bodies of a page with a large offset, or of a list whose filter has a range of another time than its
   * order. The sizes show which days hold the page, and which of their hours, and only these hours are read.
   */
  readPage(find: FindQuery): string[] {
    const { where, orderBy } = find;
    const days = this.readSizes(where, { time: orderBy, length: DAY_LENGTH });
    if (sumSizes(days) <= MAX_SORTED) {
      const other = this.hourly.times.find((time) => time !== orderBy && where[time] !== undefined);
      return this.readBodies(find, other ?? orderBy);
    }
    return readParts(find, days, toDayCondition, (ofDay) => {
      if (ofDay.where[orderBy] === null) return this.readBodies(ofDay, orderBy);
      const hours = this.readSizes(ofDay.where, { time: orderBy, length: HOUR_LENGTH });
      return readParts(ofDay, hours, toHourCondition, (ofHour) => this.readBodies(ofHour, orderBy));
    });
  }

  /** Counts the matching documents per day or hour; null: in total. */
  private readSizes(where: Where, by: Grouping | null): SpanSize[] {
    const spans = this.hourly.times.map((time) => toSpan(where[time] as TimeRange | undefined));
    const edges = spans.flatMap(({ edges }, i) =>
      edges.map((edge) => this.countPartialHours(where, edge, spans.slice(0, i), by)),
    );
    const merged = new Map<string, number>();
    for (const { start, size } of [...this.readWholeHours(where, spans, by), ...edges.flat()])
      merged.set(start, (merged.get(start) ?? 0) + size);
    return [...merged].map(([start, size]) => ({ start, size }));
  }

  private readWholeHours(
    where: Where,
    [first, second = toSpan(undefined)]: readonly Span[],
    by: Grouping | null,
  ): readonly SpanSize[] {
    const { group, times } = this.hourly;
    const start = toStart(by, (time) => (time === times[0] ? 'first' : 'second'));
    const text = `select ${start} as start, sum(size) as size from hourly_sizes
      where collection = ? and paths = ? and "values" in (select value from json_each(?)) and first >= ? and first < ? and second >= ? and second < ? group by 1`;
    const values = JSON.stringify(toGroups(where, [...group].sort()));
    const { low, high } = first!;
    return this.sql.all<SpanSize>(
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
    by: Grouping | null,
  ): readonly SpanSize[] {
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
    const table = tableOf(this.collection.name);
    return this.sql.all<SpanSize>(
      `select ${toStart(by, column)} as start, count(*) as size from ${table} where ${text} group by 1`,
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
    const listed = `select rowid as listed from ${table} where ${text} order by ${column} ${order}, id ${order} ${toLimit(limit)} offset +?`;
    const rows = this.sql.all<{ body: string }>(
      `select body from (${listed}) cross join ${table} on ${table}.rowid = listed`,
      ...values,
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

/** Returns the SQL expression for the start of a document's day or hour. */
function toStart(by: Grouping | null, toColumn: (time: string) => string): string {
  return by === null ? `''` : `substr(${toColumn(by.time)}, 1, ${by.length})`;
}

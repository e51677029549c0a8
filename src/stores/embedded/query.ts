import type { SQLInputValue } from 'node:sqlite';
import { isScalar } from '../../kernel/conditions.js';
import type { Condition, FindQuery, Scalar, Where } from '../../kernel/read-models.js';
import { type Collection, findNarrowIndex, indexNameOf, tableOf, toCell, toExpression } from './collections.js';
import { type Statements, toLimit } from './sqlite.js';

/** A part of an SQL statement with its parameter values. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** Returns the condition for documents that match all of `where`, without tombstones. */
export function toFilter({ columns }: Collection, where: Where): Sql {
  return joinConditions([
    { text: 'body is not null', values: [] },
    ...Object.entries(where).map(([path, condition]) => toCondition(toExpression(path, columns), condition)),
  ]);
}

/**
 * Returns the parts of a list in order, each of which follows an index. SQLite sorts null before all values and a
 * comparison with null matches nothing, so after a sort key the values and the nulls are separate parts. Rows are
 * fetched from the table only for listed documents: skipped and sorted documents need only the index when it covers
 * the query.
 */
export function toListQueries(
  collection: Collection,
  { where, orderBy, ascending = false, after, limit }: FindQuery,
): Sql[] {
  const column = toExpression(orderBy, collection.columns);
  const filter = toFilter(collection, where);
  const [table, order] = [tableOf(collection.name), ascending ? 'asc' : 'desc'];
  const source = toSource(collection, where, orderBy);
  const parts = after === undefined ? [{ text: 'true', values: [] }] : toAfterConditions(column, after, ascending);
  return parts.map((part) => {
    const { text, values } = joinConditions([filter, part]);
    return {
      text: `select body from (select rowid as listed from ${source} where ${text} order by ${column} ${order}, id ${order} ${toLimit(limit)} offset +?)
        cross join ${table} on ${table}.rowid = listed`,
      values,
    };
  });
}

/** Reads the bodies of a list in its order. */
export function readBodies(sql: Statements, collection: Collection, find: FindQuery): string[] {
  const bodies: string[] = [];
  for (const { text, values } of toListQueries(collection, find)) {
    if (bodies.length >= find.limit) break;
    for (const { body } of sql.all<{ body: string }>(text, ...values, find.offset ?? 0)) bodies.push(body);
  }
  return bodies.slice(0, find.limit);
}

export function countRows(sql: Statements, collection: Collection, where: Where): number {
  const { text, values } = toFilter(collection, where);
  const source = toSource(collection, where);
  return sql.get<{ size: number }>(`select count(*) as size from ${source} where ${text}`, ...values)!.size;
}

/** Returns the table, with the index to use when the filter has a narrow one: SQLite may prefer another. */
export function toSource(collection: Collection, where: Where, orderBy?: string): string {
  const index = findNarrowIndex(collection, where, orderBy);
  const table = tableOf(collection.name);
  return index === undefined ? table : `${table} indexed by ${indexNameOf(collection.name, index)}`;
}

export function toAfterConditions(
  column: string,
  { value, id }: NonNullable<FindQuery['after']>,
  ascending: boolean,
): Sql[] {
  const beyond = ascending ? '>' : '<';
  const isNull = `${column} is null`;
  if (value !== null) {
    const values = { text: `(${column}, id) ${beyond} (?, ?)`, values: [toCell(value), id] };
    return ascending ? [values] : [values, { text: isNull, values: [] }];
  }
  const nulls = { text: `${isNull} and id ${beyond} ?`, values: [id] };
  return ascending ? [nulls, { text: `${column} is not null`, values: [] }] : [nulls];
}

/** Uses `=` rather than `is`, so that SQLite can use a sparse index. */
export function toCondition(column: string, condition: Condition): Sql {
  if (condition === null) return { text: `${column} is null`, values: [] };
  if (isScalar(condition)) return { text: `${column} = ?`, values: [toCell(condition)] };
  if ('in' in condition) return toInCondition(column, condition.in);
  return toRangeCondition(column, condition);
}

function toInCondition(column: string, scalars: readonly Scalar[]): Sql {
  const isListed = `${column} in (select value from json_each(?))`;
  const text = scalars.includes(null) ? `(${isListed} or ${column} is null)` : isListed;
  return { text, values: [JSON.stringify(scalars.map(toCell))] };
}

function toRangeCondition(
  column: string,
  { from, to }: { readonly from?: string | number; readonly to?: string | number },
): Sql {
  const ends: Sql[] = [{ text: `${column} is not null`, values: [] }];
  if (from !== undefined) ends.push({ text: `${column} >= ?`, values: [from] });
  if (to !== undefined) ends.push({ text: `${column} <= ?`, values: [to] });
  return joinConditions(ends);
}

export function joinConditions(conditions: readonly Sql[]): Sql {
  return { text: conditions.map(({ text }) => text).join(' and '), values: conditions.flatMap(({ values }) => values) };
}

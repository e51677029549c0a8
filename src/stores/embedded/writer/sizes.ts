import type { HourlySizes } from '../../../kernel/read-models.js';
import { columnOf, hourlyKeyOf, quoteIdentifier, quoteLiteral, tableOf, totalKeyOf } from '../collections.js';
import { HOUR_LENGTH } from '../spans.js';
import type { Statements } from '../sqlite.js';

/** A table of sizes, and the expressions for the group of a document. */
interface SizeTable {
  readonly table: string;
  /** The columns that name the group. */
  readonly key: readonly string[];
  /** Their values for a document; `row` is `new.`, `old.` or nothing. */
  readonly group: (row: string) => readonly string[];
  /** The values that determine the group of a document. They are cheaper to compare than the group. */
  readonly parts: (row: string) => readonly string[];
}

export function createTotal(sql: Statements, collection: string, paths: readonly string[]): void {
  const total = totalKeyOf(paths);
  createTriggers(sql, collection, `total of ${collection} by ${total}`, {
    table: 'totals',
    key: ['collection', 'paths', '"values"'],
    group: (row) => [quoteLiteral(collection), quoteLiteral(total), toJsonArray(paths, row)],
    parts: (row) => paths.map((path) => row + columnOf(path)),
  });
}

export function createHourlySizes(sql: Statements, collection: string, hourly: HourlySizes): void {
  const paths = hourlyKeyOf(hourly);
  const hour = (path: string | undefined, row: string) =>
    path === undefined ? `''` : `coalesce(substr(${row}${columnOf(path)}, 1, ${HOUR_LENGTH}), '')`;
  const [first, second] = hourly.times;
  createTriggers(sql, collection, `hourly sizes of ${collection} by ${paths}`, {
    table: 'hourly_sizes',
    key: ['collection', 'paths', '"values"', 'first', 'second'],
    group: (row) => [
      quoteLiteral(collection),
      quoteLiteral(paths),
      toJsonArray(hourly.group, row),
      hour(first, row),
      hour(second, row),
    ],
    parts: (row) => [
      ...hourly.group.map((path) => row + columnOf(path)),
      ...hourly.times.map((path) => hour(path, row)),
    ],
  });
}

/** Creates triggers that update the sizes in the transaction of every save. */
function createTriggers(
  sql: Statements,
  collection: string,
  name: string,
  { table, key, group, parts }: SizeTable,
): void {
  const documents = tableOf(collection);
  const into = `insert into ${table} (${key.join(', ')}, size)`;
  const more = `${into} values (${group('new.').join(', ')}, 1) on conflict do update set size = size + 1;`;
  const left = `(${key.join(', ')}) = (${group('old.').join(', ')})`;
  const less = `update ${table} set size = size - 1 where ${left}; delete from ${table} where ${left} and size = 0;`;
  const isMoved =
    parts('old.')
      .map((part, i) => `${part} is not ${parts('new.')[i]}`)
      .join(' or ') || 'false';
  sql.db.exec(`
    ${into} select ${group('').join(', ')}, count(*) from ${documents} where body is not null group by ${key.map((_, i) => i + 1).join(', ')};
    create trigger ${quoteIdentifier(`${name}: new`)} after insert on ${documents} when new.body is not null begin ${more} end;
    create trigger ${quoteIdentifier(`${name}: in`)} after update on ${documents}
      when new.body is not null and (old.body is null or (${isMoved})) begin ${more} end;
    create trigger ${quoteIdentifier(`${name}: out`)} after update on ${documents}
      when old.body is not null and (new.body is null or (${isMoved})) begin ${less} end;
  `);
}

function toJsonArray(paths: readonly string[], row: string): string {
  return `json_array(${[...paths]
    .sort()
    .map((path) => row + columnOf(path))
    .join(', ')})`;
}

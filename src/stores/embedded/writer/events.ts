import type { AppendResult, ExpectedRevision } from '../../../kernel/event-store.js';
import { toPosition } from '../positions.js';
import type { Statements } from '../sqlite.js';

/** An event as it is stored: `data` and `meta` are JSON. */
export interface NewEventRow {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

export type AppendOutcome = AppendResult | { readonly conflict: ExpectedRevision };

const LAST = 'select max(revision) as revision from events where stream = ?';
const INSERT = 'insert into events (stream, revision, id, type, data, meta) values (?, ?, ?, ?, ?, ?)';
const RANGE = 'select id, position from events where stream = ? and revision between ? and ? order by revision';

export function eventOperations(sql: Statements) {
  return {
    append(stream: string, expected: ExpectedRevision, events: readonly NewEventRow[]): AppendOutcome {
      const { revision } = sql.get<{ revision: number | null }>(LAST, stream)!;
      const actual = revision ?? 'none';
      const first = expected === 'none' ? 0 : expected + 1;
      if (actual !== expected) return findRepeated(sql, stream, first, events) ?? { conflict: actual };

      const rows = events.map(({ id, type, data, meta }, i) =>
        sql.insert(INSERT, stream, first + i, id, type, data, meta),
      );
      return toAppendResult(first, rows);
    },
  };
}

/** Returns the outcome of the first append when the stream already holds exactly these events; null otherwise. */
function findRepeated(
  sql: Statements,
  stream: string,
  first: number,
  events: readonly NewEventRow[],
): AppendResult | null {
  const last = first + events.length - 1;
  const recorded = sql.all<{ id: string; position: number }>(RANGE, stream, first, last);
  const same = recorded.length === events.length && recorded.every(({ id }, i) => id === events[i]!.id);
  if (!same) return null;
  const rows = recorded.map(({ position }) => position);
  return toAppendResult(first, rows);
}

function toAppendResult(first: number, rows: readonly number[]): AppendResult {
  const positions = rows.map(toPosition);
  return { revision: first + rows.length - 1, position: positions.at(-1)!, ...(rows.length > 1 && { positions }) };
}

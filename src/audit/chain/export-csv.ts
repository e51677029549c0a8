import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { Meta } from '../../kernel/event.js';
import { encodeCanonically } from './canonical-json.js';
import type { ExportFormat, ExportRecord } from './export-records.js';

const COLUMNS = [
  'object',
  'number',
  'position',
  'recorded_at',
  'type',
  'id',
  'stream',
  'revision',
  'command',
  'actor_type',
  'actor_id',
  'business',
  'mode',
  'correlation_id',
  'causation_id',
  'request_id',
  'data',
  'meta',
  'leaf',
  'head',
] as const;

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number | null>>>;

/**
 * One row for each record. A cell that a spreadsheet would take for a formula begins with an apostrophe. The columns
 * `data` and `meta` hold JSON, so that the events can be verified.
 */
export const csv: ExportFormat = {
  header: encodeRow(Object.fromEntries(COLUMNS.map((name) => [name, name]))),
  encode: (record) => encodeRow(toRow(record)),
  decode: (line) => toRecord(decodeRow(line)),
};

function toRow(record: ExportRecord): Row {
  switch (record.object) {
    case 'chain_start':
      return { object: 'chain_start', number: record.count, head: record.head };
    case 'leaf':
      return record;
    case 'event': {
      const { number, position, head, event } = record;
      return { object: 'event', number, position, head, ...toEventCells(event) };
    }
  }
}

function toEventCells({ id, type, stream, revision, data, meta }: Extract<ExportRecord, { object: 'event' }>['event']) {
  const { at, command, actor, business, mode, correlationId, causationId, requestId } = meta;
  return {
    ...{ recorded_at: at, type, id, stream, revision, command, actor_type: actor.type, actor_id: actor.id },
    ...{ business, mode, correlation_id: correlationId, causation_id: causationId, request_id: requestId },
    ...{ data: encodeCanonically(data), meta: encodeCanonically(meta) },
  };
}

function toRecord(row: Readonly<Record<string, string>>): ExportRecord {
  const { object, position, head, leaf, id, type, stream, data, meta } = row as Record<string, string>;
  const number = Number(row.number);
  if (object === 'chain_start') return { object, count: number, head: head! };
  if (object === 'leaf') return { object, number, leaf: leaf! };
  if (object !== 'event') throw new Error('The row is not a record.');
  const parts = { data: JSON.parse(data!) as object, meta: JSON.parse(meta!) as Meta };
  const event = { id: id!, type: type!, stream: stream!, revision: Number(row.revision), ...parts };
  return { object, number, position: position!, head: head!, event };
}

function encodeRow(row: Row): string {
  return stringify([row], { columns: [...COLUMNS], escape_formulas: true, record_delimiter: '' });
}

function decodeRow(line: string): Readonly<Record<string, string>> {
  const [row] = parse<Record<string, string>>(line, { columns: [...COLUMNS] });
  if (row === undefined) throw new Error('The row is empty.');
  return row;
}

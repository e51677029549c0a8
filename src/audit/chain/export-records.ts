import type { RecordedEvent } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { ChainHead } from '../domain/chain-checkpoint.js';
import { encodeCanonically } from './canonical-json.js';
import { extendChain, hashLeaf, type StoredEvent, toStoredEvent } from './hash-chain.js';

export type ExportRecord =
  /** The head of the chain before the first event of the export. */
  | ({ readonly object: 'chain_start' } & ChainHead)
  /** `head`: the head of the chain after the event. */
  | {
      readonly object: 'event';
      readonly number: number;
      readonly position: Position;
      readonly head: string;
      readonly event: StoredEvent;
    }
  /** An event that the filter of the export has left out. */
  | { readonly object: 'leaf'; readonly number: number; readonly leaf: string };

/** Encodes records as lines, and decodes them; each record has one valid line. */
export interface ExportFormat {
  /** The line before the first record, or null. */
  readonly header: string | null;
  readonly encode: (record: ExportRecord) => string;
  /** @throws when the line is not a record */
  readonly decode: (line: string) => ExportRecord;
}

export function toStartRecord({ count, head }: ChainHead): ExportRecord {
  return { object: 'chain_start', count, head };
}

export function toExportRecord(
  before: ChainHead,
  event: RecordedEvent,
  isIncluded: boolean,
): { readonly record: ExportRecord; readonly after: ChainHead } {
  const leaf = hashLeaf(event);
  const after = extendChain(before, leaf);
  const { count: number, head } = after;
  const record: ExportRecord = isIncluded
    ? { object: 'event', number, position: event.position, head, event: toStoredEvent(event) }
    : { object: 'leaf', number, leaf };
  return { record, after };
}

export const ndjson: ExportFormat = {
  header: null,
  encode: encodeCanonically,
  decode: (line) => {
    const record = JSON.parse(line) as ExportRecord;
    switch (record.object) {
      case 'chain_start':
        return toStartRecord(record);
      case 'leaf':
        return { object: 'leaf', number: record.number, leaf: record.leaf };
      case 'event':
        return requireBusiness(record);
    }
  },
};

function requireBusiness(record: Extract<ExportRecord, { object: 'event' }>): ExportRecord {
  const { number, position, head, event } = record;
  if (event.meta.business === undefined) throw new Error('The record is not an event.');
  return { object: 'event', number, position, head, event: toStoredEvent(event) };
}

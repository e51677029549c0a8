import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { estimateCharacters } from '../../engine/streams/weight.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { readMeta, readOrNull } from '../../kernel/unreadable-event.js';
import { toStoredForm } from '../../kernel/upcasting.js';
import { toExportRecord, toStartRecord } from '../chain/export-records.js';
import { exportFormats } from '../chain/export-verification.js';
import type { ExportRange, ExportRequest } from '../domain/audit-export.js';
import { type ExportChunk, ExportFiles } from './export-files.js';
import { selectsEvent } from './export-selection.js';

/** Other work on the thread runs after each page of this size. */
const MAX_PAGE_EVENTS = 200;
/** Size of a page in characters; the number of events of the next page follows from the sizes of the last one. */
const PAGE_CHARACTERS = 512 * 1024;
const FIRST_PAGE_EVENTS = 8;
const CHUNK_BYTES = 256 * 1024;
/** A chunk is stored after this number of events of the log, so that an interrupted export repeats few of them. */
const CHUNK_EVENTS = 10_000;

/** Writes the file of an export in chunks. After an interruption it continues after the last stored chunk. */
@Injectable()
export class ExportWriter {
  constructor(
    private readonly store: EventStore,
    private readonly files: ExportFiles,
  ) {}

  /** Writes one chunk. Returns the last chunk of the file or the first one beyond `maxBytes`, else null. */
  async writeChunk(request: ExportRequest, range: ExportRange, maxBytes: number): Promise<ExportChunk | null> {
    const { exportId } = request;
    await this.files.prepare(exportId);
    const last = await this.files.findLast(exportId);
    if (last !== null && (isEnd(last, range) || last.bytes > maxBytes)) return last;
    const chunk = await this.createChunk(last ?? createHeader(request, range), request, range);
    await this.files.add(exportId, chunk);
    passCrashPoint('mid-export');
    return null;
  }

  private async createChunk(before: ExportChunk, request: ExportRequest, range: ExportRange): Promise<ExportChunk> {
    const isFirst = before.index === 0;
    let chunk: ExportChunk = { ...before, index: before.index + 1, text: isFirst ? before.text : '' };
    let limit = FIRST_PAGE_EVENTS;
    for (let events = 0; events < CHUNK_EVENTS && chunk.text.length < CHUNK_BYTES && !isEnd(chunk, range);) {
      const page = await this.store.readAll({ after: chunk.end.position, limit });
      limit = toNextLimit(page.events, limit);
      chunk = addPage(chunk, page.events, request, range);
      if (!isEnd(chunk, range)) chunk = { ...chunk, end: { ...chunk.end, position: page.next } };
      if (page.caughtUp && !isEnd(chunk, range))
        throw new StoreUnavailable('the log ends before the checkpoint of the export', false);
      events += page.events.length;
      await nextTurn();
    }
    return { ...chunk, bytes: chunk.bytes + Buffer.byteLength(chunk.text) };
  }
}

/** At most doubles the number of events: an average of small events says little about the next one. */
function toNextLimit(events: readonly RecordedEvent[], limit: number): number {
  const size = events.reduce((sum, event) => sum + estimateSize(event), 0);
  const fitting = Math.floor((PAGE_CHARACTERS * events.length) / Math.max(1, size));
  return Math.max(1, Math.min(fitting, 2 * limit, MAX_PAGE_EVENTS));
}

/** The size in characters; 0 for an event that cannot be read: it may belong to another business. */
function estimateSize(event: RecordedEvent): number {
  return estimateCharacters(readOrNull(() => toStoredForm(event).data));
}

/** Returns the beginning of the file as a chunk that is not stored. */
function createHeader({ format }: ExportRequest, { start }: ExportRange): ExportChunk {
  const { header, encode } = exportFormats[format];
  const lines = [...(header === null ? [] : [header]), encode(toStartRecord(start))];
  const text = lines.map((line) => `${line}\n`).join('');
  return { text, index: 0, end: start, count: 0, firstPosition: null, lastPosition: null, bytes: 0 };
}

function addPage(
  chunk: ExportChunk,
  events: readonly RecordedEvent[],
  request: ExportRequest,
  { checkpoint }: ExportRange,
): ExportChunk {
  const lines: string[] = [chunk.text];
  let { end, count, firstPosition, lastPosition } = chunk;
  const { encode } = exportFormats[request.format];
  for (const event of events) {
    if (event.position > checkpoint.position) break;
    if (readMeta(event)?.business === request.businessId) {
      const isIncluded = selectsEvent(request, event);
      const { record, after } = toExportRecord(end, event, isIncluded);
      lines.push(encode(record), '\n');
      end = { ...after, position: event.position };
      count += isIncluded ? 1 : 0;
      if (isIncluded) [firstPosition, lastPosition] = [firstPosition ?? event.position, event.position];
    }
  }
  return { ...chunk, text: lines.join(''), end, count, firstPosition, lastPosition };
}

function isEnd({ end }: ExportChunk, { checkpoint }: ExportRange): boolean {
  return end.position >= checkpoint.position;
}

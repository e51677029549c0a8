import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { toExportRecord, toStartRecord } from '../chain/export-records.js';
import { exportFormats } from '../chain/export-verification.js';
import type { ExportRange, ExportRequest } from '../domain/audit-export.js';
import { type ExportChunk, ExportFiles } from './export-files.js';
import { selectsEvent } from './export-selection.js';

/** Other work on the thread runs after each page of this size. */
const PAGE_EVENTS = 200;
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

  /** Writes one chunk. Returns the last chunk of the file, or null while more chunks follow. */
  async writeChunk(request: ExportRequest, range: ExportRange): Promise<ExportChunk | null> {
    const { exportId } = request;
    await this.files.prepare(exportId);
    const last = await this.files.findLast(exportId);
    if (last !== null && isEnd(last, range)) return last;
    const chunk = await this.createChunk(last ?? createHeader(request, range), request, range);
    await this.files.add(exportId, chunk);
    passCrashPoint('mid-export');
    return null;
  }

  private async createChunk(before: ExportChunk, request: ExportRequest, range: ExportRange): Promise<ExportChunk> {
    const isFirst = before.index === 0;
    let chunk: ExportChunk = { ...before, index: before.index + 1, text: isFirst ? before.text : '' };
    for (let events = 0; events < CHUNK_EVENTS && chunk.text.length < CHUNK_BYTES && !isEnd(chunk, range);) {
      const page = await this.store.readAll({ after: chunk.end.position, limit: PAGE_EVENTS });
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
    if (event.meta.business === request.businessId) {
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

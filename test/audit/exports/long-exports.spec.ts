import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_HASH_CHAIN } from '../../../src/audit/chain/hash-chain.js';
import type { ExportRange, ExportRequest } from '../../../src/audit/domain/audit-export.js';
import { type ExportChunk, ExportFiles, toExportCollection } from '../../../src/audit/exports/export-files.js';
import { ExportWriter } from '../../../src/audit/exports/export-writer.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import type { EventStore, ReadAllOptions } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import { openStores } from '../../../src/stores/open.js';
import type { Ports } from '../../../src/stores/ports.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { BUSINESS, chainOf, createChainedEvent } from '../chain/chained-log.js';

const EVENTS = 12_000;
const MAX_PAGE_EVENTS = 200;
/** A chunk is full at 256 KiB; its last page makes it a little larger. */
const MAX_CHUNK_CHARACTERS = 512 * 1024;
const FILTER = { recordedFrom: null, recordedTo: null, types: [], resource: null };
const REQUEST: ExportRequest = {
  ...FILTER,
  exportId: 'exp_1',
  businessId: BUSINESS,
  mode: 'live',
  format: 'ndjson',
};

/** Counts the turns of the event loop. */
class Turns {
  current = 0;
  private next = setImmediate(() => this.count());

  stop(): void {
    clearImmediate(this.next);
  }

  private count(): void {
    this.current++;
    this.next = setImmediate(() => this.count());
  }
}

describe(`An export of a chain of ${EVENTS} events`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'));
  const turns = new Turns();
  const reads: { readonly turn: number; readonly limit: number }[] = [];
  let ports: Ports;
  let files: ExportFiles;
  let range: ExportRange;
  beforeAll(async () => {
    ports = await openStores({ file: join(folder, 'store.sqlite') });
    files = new ExportFiles(ports.models);
    const numbers = Array.from({ length: EVENTS }, (_, i) => i + 1);
    await Promise.all(numbers.map((n) => ports.events.append(`discount-dsc_${n}`, 'none', [createEvent(n)])));
    const log = await readWholeLog(ports.events);
    const checkpoint = { ...chainOf(log), position: log.at(-1)!.position };
    const signature = { signed_at: '2026-02-01T09:00:00.000Z', key_id: 'key', signature: '' };
    range = { start: { ...EMPTY_HASH_CHAIN, position: START }, checkpoint: { ...checkpoint, ...signature } };
  });
  afterAll(async () => {
    turns.stop();
    await ports.close();
    rmSync(folder, { recursive: true });
  });

  /** The reads of the embedded store complete within the same turn. */
  const observeReads = (): EventStore => {
    const readAll = (options: ReadAllOptions) => {
      reads.push({ turn: turns.current, limit: options.limit });
      return ports.events.readAll(options);
    };
    return Object.assign(Object.create(ports.events) as EventStore, { readAll });
  };

  it.each<[string, Partial<ExportRequest>, count: number]>([
    ['all its events', {}, EVENTS],
    ['none of its events', { types: ['ProductCreated'] }, 0],
  ])('reads small pages and lets other work run after each of them: with %s', async (name, filter, count) => {
    const request = { ...REQUEST, ...filter, exportId: name };
    reads.length = 0;
    const writer = new ExportWriter(observeReads(), files);
    let last: ExportChunk | null = null;
    while (last === null) last = await writer.writeChunk(request, range, Infinity);

    expect(last).toMatchObject({ count, end: { count: EVENTS, head: range.checkpoint.head } });
    expect(reads.length).toBeGreaterThanOrEqual(EVENTS / MAX_PAGE_EVENTS);
    expect(Math.max(...reads.map(({ limit }) => limit))).toBe(MAX_PAGE_EVENTS);
    expect(new Set(reads.map(({ turn }) => turn)).size).toBe(reads.length);
    const chunks = await readChunks(name);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(MAX_CHUNK_CHARACTERS);
  });

  it('hashes its file chunk by chunk', async () => {
    const chunks = await readChunks('all its events');
    const before = turns.current;

    expect(await files.hash('all its events')).toBe(hash('sha256', chunks.join('')));
    expect(turns.current - before).toBeGreaterThanOrEqual(chunks.length);
  });

  async function readChunks(exportId: string): Promise<string[]> {
    const rows = await ports.models.scan(toExportCollection(exportId), null, EVENTS);
    return rows.map(({ document }) => (document as ExportChunk).text);
  }
});

function createEvent(n: number): NewEvent {
  const { id, meta } = createChainedEvent(n);
  return { id, meta, type: 'DiscountCreated', data: { discountId: `dsc_${n}` } };
}

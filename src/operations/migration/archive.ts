import { CliError } from '../cli/cli.js';
import { NdjsonWriter, readLines } from './ndjson.js';
import { countRecord, type MigrationRecord, NO_RECORDS, type PortableEvent } from './records.js';

export const FORMAT = 'event-sourced-api store';
export const VERSION = 1;

interface ArchiveHead {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly exported_at: string;
}

export interface ArchiveEnd {
  readonly record: 'end';
  /** Number of events. */
  readonly count: number;
  /** Number of lines before this one. */
  readonly lines: number;
  /** Hash of all lines before this one. */
  readonly sha256: string;
}

/**
 * A line of an archive: first the head, then the events in log order, then the other records, then the end. Without it
 * the file is cut.
 */
export type ArchiveLine = ArchiveHead | PortableEvent | MigrationRecord | ArchiveEnd;

export class ArchiveWriter {
  private events = 0;
  private lines = 1;
  private counts = NO_RECORDS;

  private constructor(private readonly file: NdjsonWriter) {}

  static async open(path: string, now: string): Promise<ArchiveWriter> {
    const file = await NdjsonWriter.open(path);
    await file.write({ format: FORMAT, version: VERSION, exported_at: now } satisfies ArchiveHead);
    return new ArchiveWriter(file);
  }

  async writeEvent({ id, type, stream, revision, data, meta }: PortableEvent): Promise<void> {
    await this.file.write({ id, type, stream, revision, data, meta } satisfies PortableEvent);
    this.events++;
    this.lines++;
  }

  async writeRecord(record: MigrationRecord): Promise<void> {
    await this.file.write(record);
    this.counts = countRecord(this.counts, record);
    this.lines++;
  }

  async finish() {
    const { events, lines, counts: counts } = this;
    const sha256 = await this.file.digest();
    await this.file.write({ record: 'end', count: events, lines, sha256 } satisfies ArchiveEnd);
    await this.file.finish();
    return { events, counts, sha256 };
  }

  discard(): Promise<void> {
    return this.file.discard();
  }
}

/** Reads the events of a checked file. */
export async function* readEvents(path: string): AsyncIterable<PortableEvent> {
  for await (const { line } of parseLines(path)) {
    if (isRecord(line)) return;
    if (isEvent(line)) yield line;
  }
}

/** Reads the other records of a checked file. */
export async function* readRecords(path: string): AsyncIterable<MigrationRecord> {
  for await (const { line } of parseLines(path)) if (isRecord(line)) yield line;
}

/** Reads every line with its bytes. @throws CliError for an invalid line or a missing file */
export async function* parseLines(
  path: string,
): AsyncGenerator<{ readonly line: ArchiveLine; readonly bytes: Buffer }, void> {
  try {
    for await (const bytes of readLines(path)) yield { line: JSON.parse(bytes.toString()) as ArchiveLine, bytes };
  } catch (error) {
    if (error instanceof SyntaxError) throw toDamagedError(path);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CliError(`there is no file ${path}`);
    throw error;
  }
}

export function isEvent(line: ArchiveLine): line is PortableEvent {
  return 'stream' in line;
}

export function isRecord(line: ArchiveLine): line is MigrationRecord {
  return 'record' in line && line.record !== 'end';
}

export function isEnd(line: ArchiveLine): line is ArchiveEnd {
  return 'record' in line && line.record === 'end';
}

export function toDamagedError(path: string): CliError {
  return new CliError(`${path} is cut or was changed: nothing was imported`);
}

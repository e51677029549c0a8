import { CannotDo } from '../toolbox.js';
import { counted, NOTHING, type Belonging, type MovedEvent } from './belongings.js';
import { linesOf, LinesWriter } from './lines.js';

export const FORMAT = 'event-sourced-api store';
export const VERSION = 1;

interface Head {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly exported_at: string;
}

export interface End {
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
export type Line = Head | MovedEvent | Belonging | End;

export class HouseWriter {
  private events = 0;
  private lines = 1;
  private kept = NOTHING;

  private constructor(private readonly file: LinesWriter) {}

  static async open(path: string, now: string): Promise<HouseWriter> {
    const file = await LinesWriter.open(path);
    await file.write({ format: FORMAT, version: VERSION, exported_at: now } satisfies Head);
    return new HouseWriter(file);
  }

  async event({ id, type, stream, revision, data, meta }: MovedEvent): Promise<void> {
    await this.file.write({ id, type, stream, revision, data, meta } satisfies MovedEvent);
    this.events++;
    this.lines++;
  }

  async belonging(belonging: Belonging): Promise<void> {
    await this.file.write(belonging);
    this.kept = counted(this.kept, belonging);
    this.lines++;
  }

  async finish() {
    const { events, lines, kept: counts } = this;
    const sha256 = await this.file.digest();
    await this.file.write({ record: 'end', count: events, lines, sha256 } satisfies End);
    await this.file.finish();
    return { events, counts, sha256 };
  }

  discard(): Promise<void> {
    return this.file.discard();
  }
}

/** Reads the events of a checked file. */
export async function* eventsIn(path: string): AsyncIterable<MovedEvent> {
  for await (const { line } of parsed(path)) {
    if (isBelonging(line)) return;
    if (isEvent(line)) yield line;
  }
}

/** Reads the other records of a checked file. */
export async function* belongingsIn(path: string): AsyncIterable<Belonging> {
  for await (const { line } of parsed(path)) if (isBelonging(line)) yield line;
}

/** Reads every line with its bytes. @throws CliError for an invalid line or a missing file */
export async function* parsed(path: string): AsyncGenerator<{ readonly line: Line; readonly bytes: Buffer }, void> {
  try {
    for await (const bytes of linesOf(path)) yield { line: JSON.parse(bytes.toString()) as Line, bytes };
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(path);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CannotDo(`there is no file ${path}`);
    throw error;
  }
}

export function isEvent(line: Line): line is MovedEvent {
  return 'stream' in line;
}

export function isBelonging(line: Line): line is Belonging {
  return 'record' in line && line.record !== 'end';
}

export function isEnd(line: Line): line is End {
  return 'record' in line && line.record === 'end';
}

export function damaged(path: string): CannotDo {
  return new CannotDo(`${path} is cut or was changed: nothing was imported`);
}

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
  /** Of events. */
  readonly count: number;
  /** Before this one. */
  readonly lines: number;
  /** Of all that is before this line. */
  readonly sha256: string;
}

/** First its format, then the events in the order of the log, then the rest, then the end, without which the file is cut. */
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

/** Of a file that was looked through. */
export async function* eventsIn(path: string): AsyncIterable<MovedEvent> {
  for await (const { line } of parsed(path)) {
    if (isBelonging(line)) return;
    if (isEvent(line)) yield line;
  }
}

/** Of a file that was looked through. */
export async function* belongingsIn(path: string): AsyncIterable<Belonging> {
  for await (const { line } of parsed(path)) if (isBelonging(line)) yield line;
}

/** Every line, with its bytes. @throws CannotDo where it is none */
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
  return new CannotDo(`${path} is cut, or is not as it was written: nothing is taken from it`);
}

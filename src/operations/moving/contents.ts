import { createHash } from 'node:crypto';
import { KEY_MARK } from '../../engine/sealing/key-check.js';
import { CannotDo } from '../toolbox.js';
import { counted, NOTHING, type Belonging } from './belongings.js';
import { damaged, FORMAT, isBelonging, isEnd, isEvent, parsed, VERSION, type End, type Line } from './house-file.js';

/** Summary of an archive file, built while its integrity is checked. */
export class Contents {
  events = 0;
  counts = NOTHING;
  /** The check value of the keys that encrypted its secrets. */
  mark: Uint8Array | null = null;
  private lines = 0;
  private end: End | null = null;
  private readonly hash = createHash('sha256');

  /**
   * Checks a whole file before any part of it is imported.
   * @throws CliError when the file is incomplete or was changed
   */
  static async of(path: string): Promise<Contents> {
    const contents = new Contents();
    for await (const { line, bytes } of parsed(path)) {
      if (contents.lines === 0 && !isKnown(line)) throw new CannotDo(`${path} is not an export that this version can read`);
      if (contents.end !== null) throw damaged(path);
      contents.take(line, bytes);
    }
    if (!contents.isWhole) throw damaged(path);
    return contents;
  }

  get sha256(): string {
    return this.end!.sha256;
  }

  private get isWhole(): boolean {
    const { end, events, lines, hash } = this;
    return end !== null && end.count === events && end.lines === lines && end.sha256 === hash.digest('hex');
  }

  private take(line: Line, bytes: Buffer): void {
    if (isEnd(line)) {
      this.end = line;
      return;
    }
    this.lines++;
    this.hash.update(bytes).update('\n');
    if (isEvent(line)) this.events++;
    if (isBelonging(line)) this.note(line);
  }

  private note(belonging: Belonging): void {
    this.counts = counted(this.counts, belonging);
    if (belonging.record === 'key' && belonging.id === KEY_MARK && belonging.sealed) this.mark = Buffer.from(belonging.sealed, 'base64');
  }
}

function isKnown(line: Line): boolean {
  return Object(line) === line && 'format' in line && line.format === FORMAT && line.version === VERSION;
}

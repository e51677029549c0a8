import { createHash } from 'node:crypto';
import { KEY_CHECK_ID } from '../../engine/encryption/key-check.js';
import { CliError } from '../cli/cli.js';
import {
  type ArchiveEnd,
  type ArchiveLine,
  FORMAT,
  isEnd,
  isEvent,
  isRecord,
  parseLines,
  toDamagedError,
  VERSION,
} from './archive.js';
import { countRecord, type MigrationRecord, NO_RECORDS } from './records.js';

/** Summary of an archive file, built while its integrity is checked. */
export class ArchiveCheck {
  events = 0;
  counts = NO_RECORDS;
  /** The check value of the keys that encrypted its secrets. */
  keyCheckValue: Uint8Array | null = null;
  private lines = 0;
  private end: ArchiveEnd | null = null;
  private readonly hash = createHash('sha256');

  /**
   * Checks a whole file before any part of it is imported.
   * @throws CliError when the file is incomplete or was changed
   */
  static async run(path: string): Promise<ArchiveCheck> {
    const check = new ArchiveCheck();
    for await (const { line, bytes } of parseLines(path)) {
      if (check.lines === 0 && !isArchiveHead(line))
        throw new CliError(`${path} is not an export that this version can read`);
      if (check.end !== null) throw toDamagedError(path);
      check.addLine(line, bytes);
    }
    if (!check.isWhole) throw toDamagedError(path);
    return check;
  }

  get sha256(): string {
    return this.end!.sha256;
  }

  private get isWhole(): boolean {
    const { end, events, lines, hash } = this;
    return end !== null && end.count === events && end.lines === lines && end.sha256 === hash.digest('hex');
  }

  private addLine(line: ArchiveLine, bytes: Buffer): void {
    if (isEnd(line)) {
      this.end = line;
      return;
    }
    this.lines++;
    this.hash.update(bytes).update('\n');
    if (isEvent(line)) this.events++;
    if (isRecord(line)) this.addRecord(line);
  }

  private addRecord(record: MigrationRecord): void {
    this.counts = countRecord(this.counts, record);
    if (record.record === 'key' && record.id === KEY_CHECK_ID && record.sealed)
      this.keyCheckValue = Buffer.from(record.sealed, 'base64');
  }
}

function isArchiveHead(line: ArchiveLine): boolean {
  return Object(line) === line && 'format' in line && line.format === FORMAT && line.version === VERSION;
}

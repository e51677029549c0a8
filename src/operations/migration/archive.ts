import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KEY_CHECK_ID } from '../../engine/encryption/key-check.js';
import { toIso } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import { newUuid } from '../../kernel/ids.js';
import { CliError } from '../cli/cli.js';
import { isEvent, type MigrationItem, type RecordCounts, toBatches, withoutPosition } from './records.js';

const FORMAT = 'event-sourced-api store';
const VERSION = 1;
const OWNER_ONLY = 0o600;
const LINES_PER_WRITE = 100;
const READ_BYTES = 1024 * 1024;

interface ArchiveHead {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly exported_at: string;
}

/** The last line of a complete file: the number of events, the number of earlier lines and their hash. */
interface ArchiveEnd {
  readonly record: 'end';
  readonly count: number;
  readonly lines: number;
  readonly sha256: string;
}

type ArchiveLine = ArchiveHead | MigrationItem | ArchiveEnd;

export interface ArchiveContent {
  readonly events: number;
  readonly counts: RecordCounts;
  readonly sha256: string;
}

/** A complete file, and the check value of the keys that encrypted its secrets; null when it has no such value. */
export interface CheckedArchive {
  readonly content: ArchiveContent;
  readonly keyCheckValue: Uint8Array | null;
}

/** Counts and hashes the lines of an archive file before its last line. */
class ArchiveSummary {
  lines = 0;
  private events = 0;
  private readonly counts = { key: 0, claim: 0, job: 0, note: 0, checkpoint: 0 };
  private readonly hash = createHash('sha256');

  add(line: ArchiveHead | MigrationItem, text: string): void {
    this.hash.update(text).update('\n');
    this.lines++;
    if (isEvent(line)) this.events++;
    else if ('record' in line) this.counts[line.record]++;
  }

  toEnd(): ArchiveEnd {
    return { record: 'end', count: this.events, lines: this.lines, sha256: this.hash.copy().digest('hex') };
  }

  toContent(): ArchiveContent {
    return { events: this.events, counts: this.counts, sha256: this.toEnd().sha256 };
  }
}

/** Writes a file of JSON lines atomically. Only its owner can read it. */
export async function writeArchive(path: string, items: AsyncIterable<MigrationItem>): Promise<ArchiveContent> {
  const draft = `${path}.${newUuid()}.part`;
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    const summary = new ArchiveSummary();
    for await (const lines of toBatches(toLines(items, summary), LINES_PER_WRITE))
      await file.appendFile(`${lines.join('\n')}\n`);
    await file.sync();
    await rename(draft, path);
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
    return summary.toContent();
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

async function* toLines(items: AsyncIterable<MigrationItem>, summary: ArchiveSummary): AsyncIterable<string> {
  const toLine = (line: ArchiveHead | MigrationItem) => {
    const text = JSON.stringify(line);
    summary.add(line, text);
    return text;
  };
  yield toLine({ format: FORMAT, version: VERSION, exported_at: toIso(Date.now()) });
  for await (const item of items) {
    passCrashPoint('mid-export');
    yield toLine(isEvent(item) ? withoutPosition(item) : item);
  }
  yield JSON.stringify(summary.toEnd());
}

/**
 * Checks a whole file before any part of it is imported.
 * @throws CliError when the file is incomplete or was changed
 */
export async function checkArchive(path: string): Promise<CheckedArchive> {
  const summary = new ArchiveSummary();
  let end: ArchiveEnd | null = null;
  let keyCheckValue: Uint8Array | null = null;
  for await (const { line, text } of parseLines(path)) {
    if (summary.lines === 0 && !isHead(line)) throw new CliError(`${path} is not an export that this version can read`);
    if (end !== null) throw toDamagedError(path);
    if (isEnd(line)) end = line;
    else summary.add(line, text);
    keyCheckValue ??= readKeyCheckValue(line);
  }
  if (JSON.stringify(end) !== JSON.stringify(summary.toEnd())) throw toDamagedError(path);
  return { content: summary.toContent(), keyCheckValue };
}

/** Reads the items of a checked file. */
export async function* readArchive(path: string): AsyncIterable<MigrationItem> {
  for await (const { line } of parseLines(path)) if (!isHead(line) && !isEnd(line)) yield line;
}

async function* parseLines(path: string): AsyncIterable<{ readonly line: ArchiveLine; readonly text: string }> {
  try {
    for await (const text of readLines(path)) yield { line: JSON.parse(text) as ArchiveLine, text };
  } catch (error) {
    if (error instanceof SyntaxError) throw toDamagedError(path);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new CliError(`there is no file ${path}`);
    throw error;
  }
}

/** Reads the lines of a file without their line ends. `readline` would also split lines at U+2028. */
async function* readLines(path: string): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: READ_BYTES })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function isHead(line: ArchiveLine): line is ArchiveHead {
  return Object(line) === line && 'format' in line && line.format === FORMAT && line.version === VERSION;
}

function isEnd(line: ArchiveLine): line is ArchiveEnd {
  return 'record' in line && line.record === 'end';
}

function readKeyCheckValue(line: ArchiveLine): Uint8Array | null {
  const isKeyCheck = 'record' in line && line.record === 'key' && line.id === KEY_CHECK_ID;
  return isKeyCheck && line.sealed !== null ? Buffer.from(line.sealed, 'base64') : null;
}

function toDamagedError(path: string): CliError {
  return new CliError(`${path} is cut or was changed: nothing was imported`);
}

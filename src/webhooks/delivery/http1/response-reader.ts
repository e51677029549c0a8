import { ByteCursor, LinesTooLong } from './byte-cursor.js';
import {
  findFraming,
  findKeepAliveMs,
  HeaderCollector,
  mayBeginStatusLine,
  parseStatusLine,
  type ResponseHeaders,
} from './response-head.js';

/** The limit of all lines of a response, interim responses and trailers included. */
const MAX_LINE_BYTES = 256 * 1024;
const CHUNK_SIZE = /^[ \t]*([0-9a-f]{1,12})[ \t]*(?:;|$)/i;

/** The response as far as it was received; the body is cut off at the limit. */
export interface Response {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/** Thrown when no HTTP response has begun. */
export class InvalidResponse extends Error {}

/** Thrown when a response has so many lines that its status was not found. */
export class ResponseTooLarge extends Error {}

type State = 'status' | 'headers' | 'body' | 'chunk_size' | 'chunk_data' | 'chunk_end' | 'trailers' | 'complete';

/**
 * Reads one response of HTTP/1. It accepts what common clients accept: interim responses that nobody asked for, bare
 * line feeds, folded lines, several lengths. After the status line is read, nothing that follows makes the response
 * invalid: an error ends it, and the connection cannot be used again.
 */
export class ResponseReader {
  private readonly cursor = new ByteCursor(MAX_LINE_BYTES);
  private state: State = 'status';
  private version = '';
  private status = 0;
  private head = new HeaderCollector();
  private isClear = true;
  private readonly parts: Buffer[] = [];
  private bodyBytes = 0;
  /** The bytes until the end of the body or of the chunk. */
  private left = Infinity;

  constructor(private readonly maxBodyBytes: number) {}

  /** Whether a final status has been read. */
  get hasAnswer(): boolean {
    return isFinal(this.status);
  }

  /** Whether what was read is not the beginning of an HTTP response. */
  get isInvalid(): boolean {
    return this.state === 'status' && !mayBeginStatusLine(this.cursor.partialLine);
  }

  get response(): Response {
    return { status: this.status, headers: this.head.headers, body: Buffer.concat(this.parts, this.bodyBytes) };
  }

  /**
   * Reads a chunk. Returns whether the response is complete.
   * @throws InvalidResponse, ResponseTooLarge
   */
  push(chunk: Buffer): boolean {
    this.cursor.feed(chunk);
    try {
      while (this.state !== 'complete' && this.step());
    } catch (error) {
      if (!this.hasAnswer) throw error instanceof LinesTooLong ? new ResponseTooLarge() : error;
      this.breakOff();
    }
    return this.state === 'complete';
  }

  /** Returns for how many milliseconds the connection may be kept after the response; null when it must be closed. */
  findKeepAliveMs(): number | null {
    if (this.state !== 'complete' || !this.isClear || !this.head.isClear || !this.cursor.isEmpty) return null;
    return findKeepAliveMs(this.version, this.head.headers);
  }

  /** Returns false when more bytes are needed. */
  private step(): boolean {
    switch (this.state) {
      case 'body':
      case 'chunk_data':
        return this.readBody();
      case 'complete':
        return false;
      default:
        return this.readLine(this.state);
    }
  }

  private readLine(state: Exclude<State, 'body' | 'chunk_data' | 'complete'>): boolean {
    const line = this.cursor.readLine();
    if (line === null) return false;
    if (state === 'status') this.readStatus(line);
    else if (state === 'headers') this.readHeader(line);
    else if (state === 'chunk_size') this.readChunkSize(line);
    else if (state === 'chunk_end') this.endChunk(line);
    else if (line === '') this.state = 'complete';
    return true;
  }

  /** Empty lines before a response are skipped: some servers send one after the previous response. */
  private readStatus(line: string): void {
    if (line === '') return;
    const parsed = parseStatusLine(line);
    if (parsed === null) throw new InvalidResponse();
    ({ version: this.version, status: this.status } = parsed);
    this.state = 'headers';
  }

  private readHeader(line: string): void {
    if (line !== '') this.head.add(line);
    else if (this.hasAnswer) this.endHead();
    else {
      this.state = 'status';
      this.head = new HeaderCollector();
    }
  }

  private endHead(): void {
    const { framing, isClear } = findFraming(this.status, this.head.headers);
    this.isClear = isClear;
    if (framing.kind === 'chunked') this.state = 'chunk_size';
    else {
      this.left = framing.kind === 'length' ? framing.length : Infinity;
      this.state = this.left === 0 ? 'complete' : 'body';
    }
  }

  private readChunkSize(line: string): void {
    const size = CHUNK_SIZE.exec(line)?.[1];
    if (size === undefined) return this.breakOff();
    this.left = Number.parseInt(size, 16);
    this.state = this.left === 0 ? 'trailers' : 'chunk_data';
  }

  private endChunk(line: string): void {
    if (line === '') this.state = 'chunk_size';
    else this.breakOff();
  }

  private readBody(): boolean {
    const bytes = this.cursor.takeBytes(Math.min(this.left, this.maxBodyBytes - this.bodyBytes));
    if (bytes.length > 0) this.parts.push(bytes);
    this.bodyBytes += bytes.length;
    this.left -= bytes.length;
    if (this.left === 0) this.state = this.state === 'body' ? 'complete' : 'chunk_end';
    else if (this.bodyBytes === this.maxBodyBytes) this.breakOff();
    else return false;
    return true;
  }

  private breakOff(): void {
    this.isClear = false;
    this.state = 'complete';
  }
}

/** 101 ends HTTP on the connection, so no other response follows it. */
function isFinal(status: number): boolean {
  return status >= 200 || status === 101;
}

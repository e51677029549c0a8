/** Thrown when the lines of one response have more bytes than the limit. */
export class LinesTooLong extends Error {}

const LINE_FEED = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

/** Reads lines and bytes from chunks. Each chunk is read to its end before the next one is fed. */
export class ByteCursor {
  private chunk = NOTHING;
  private offset = 0;
  /** The beginning of a line whose end has not arrived. V8 joins it only when the line is complete. */
  partialLine = '';
  private lineBytes = 0;

  /** @param maxLineBytes limit of all lines together */
  constructor(private readonly maxLineBytes: number) {}

  get isEmpty(): boolean {
    return this.offset === this.chunk.length && this.partialLine === '';
  }

  feed(chunk: Buffer): void {
    this.chunk = chunk;
    this.offset = 0;
  }

  /**
   * Returns the next line in latin1, without its CRLF or LF; null when its end has not arrived.
   * @throws LinesTooLong
   */
  readLine(): string | null {
    const found = this.chunk.indexOf(LINE_FEED, this.offset);
    const end = found === -1 ? this.chunk.length : found;
    this.lineBytes += end - this.offset;
    if (this.lineBytes > this.maxLineBytes) throw new LinesTooLong();
    const text = this.partialLine + this.chunk.toString('latin1', this.offset, end);
    this.offset = found === -1 ? end : end + 1;
    this.partialLine = found === -1 ? text : '';
    if (found === -1) return null;
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }

  /** Returns at most `limit` of the bytes that have arrived; empty when none is left. */
  takeBytes(limit: number): Buffer {
    const end = Math.min(this.chunk.length, this.offset + limit);
    const bytes = this.chunk.subarray(this.offset, end);
    this.offset = end;
    return bytes;
  }
}

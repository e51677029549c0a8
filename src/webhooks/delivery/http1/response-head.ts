import { isUtf8 } from 'node:buffer';

/** Response headers with lower-case names; several values of one name are joined by a comma. */
export type ResponseHeaders = ReadonlyMap<string, string>;

/** The end of a response's body, and whether the connection can be used again after it. */
export type BodyFraming =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until_close' };

/** How long a connection is kept when the receiver does not say how long it keeps it. */
const KEEP_ALIVE_MS = 4_000;
/** The limit, also when a receiver names a longer time. */
const MAX_KEEP_ALIVE_MS = 30_000;
/** The receiver counts from an earlier moment, and may close a little early. */
const KEEP_ALIVE_MARGIN_MS = 2_000;
const TIMEOUT = /(?:^|[\s,;])timeout\s*=\s*"?(\d+)/i;
const STATUS_LINE = /^\s*HTTP\/(\d(?:\.\d)?)[ \t]+(\d{3})(?!\d)/i;
const PROTOCOL = 'HTTP/';
const NOT_ASCII = /[\x80-\xff]/;
/** NUL is not valid in a header, and not every store takes it. */
const NUL = /\0/g;
/** These responses never have a body. */
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 304]);
const NO_BODY: BodyFraming = { kind: 'length', length: 0 };

/** Returns null for a line that is not the first line of an HTTP/1 response. */
export function parseStatusLine(line: string): { readonly version: string; readonly status: number } | null {
  const [, version, code] = STATUS_LINE.exec(line) ?? [];
  const status = Number(code);
  return version === undefined || status < 100 ? null : { version, status };
}

/** Whether the text may be the beginning of a status line. A receiver of HTTP/0.9 sends its body alone. */
export function mayBeginStatusLine(text: string): boolean {
  const start = text.trimStart().toUpperCase();
  return start.startsWith(PROTOCOL) || PROTOCOL.startsWith(start);
}

/** Collects the header lines of one response. A line without a colon is left out. */
export class HeaderCollector {
  readonly headers = new Map<string, string>();
  /** False after a line that other clients may read in another way. */
  isClear = true;
  private lastName: string | null = null;

  add(line: string): void {
    const isContinued = line.startsWith(' ') || line.startsWith('\t');
    const colon = isContinued ? -1 : line.indexOf(':');
    if (isContinued && this.lastName !== null) {
      this.headers.set(this.lastName, `${this.headers.get(this.lastName)} ${decodeValue(line)}`.trim());
      this.isClear = false;
    } else if (colon > 0) {
      this.addValue(line.slice(0, colon).trim().toLowerCase(), decodeValue(line.slice(colon + 1)));
    } else {
      this.isClear = false;
    }
  }

  private addValue(name: string, value: string): void {
    const earlier = this.headers.get(name);
    this.headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
    this.lastName = name;
  }
}

/**
 * Finds the end of the body as most clients do. `isClear` is false where clients differ: the connection must then be
 * closed. Of several lengths the smallest counts, so that a wrong one never leads to a wait.
 */
export function findFraming(status: number, headers: ResponseHeaders): { framing: BodyFraming; isClear: boolean } {
  const lengths = headers.get('content-length');
  const encoding = headers.get('transfer-encoding');
  if (STATUSES_WITHOUT_BODY.has(status)) return { framing: NO_BODY, isClear: lengths === undefined || lengths === '0' };
  if (encoding !== undefined && /(^|,)[ \t]*chunked[ \t]*$/i.test(encoding))
    return { framing: { kind: 'chunked' }, isClear: lengths === undefined };
  if (lengths === undefined) return { framing: { kind: 'until_close' }, isClear: false };
  const isClear = encoding === undefined && /^\d+$/.test(lengths);
  const length = Math.min(...lengths.split(',').map((one) => Number.parseInt(one, 10)));
  return { framing: Number.isSafeInteger(length) && length >= 0 ? { kind: 'length', length } : NO_BODY, isClear };
}

/** Returns for how many milliseconds the connection may be kept, or null when the response ends it. */
export function findKeepAliveMs(version: string, headers: ResponseHeaders): number | null {
  const options = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/);
  if (options.includes('close') || (version !== '1.1' && !options.includes('keep-alive'))) return null;
  const seconds = TIMEOUT.exec(headers.get('keep-alive') ?? '')?.[1];
  if (seconds === undefined) return KEEP_ALIVE_MS;
  const timeoutMs = Math.min(Number(seconds) * 1_000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
  return timeoutMs > 0 ? timeoutMs : null;
}

/** Headers are latin1 by the standard and UTF-8 in practice. */
function decodeValue(text: string): string {
  const value = text.trim().replace(NUL, '');
  if (!NOT_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

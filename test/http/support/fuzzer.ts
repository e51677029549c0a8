import { SeededRandom } from '../../support/clock.js';
import type { Route } from '../../support/routes.js';

const METHODS = ['GET', 'GET', 'POST', 'POST', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'get', 'JUMP'];
/** Strings that often cause errors. */
const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    'é',
    '🦊',
    '\u202e',
    '\ufeff',
    '\u0000',
    '\ud800',
    'null',
    'undefined',
    'NaN',
    '-1',
    '0',
    '1e999',
    '%00',
    '%zz',
    '..%2f',
  ],
  ...[
    "' or 1=1 --",
    '{"$gt":""}',
    '<script>',
    '__proto__',
    'constructor',
    '\r\nX-Odd: a',
    'x'.repeat(41),
    'x'.repeat(256),
    'x'.repeat(9_000),
  ],
  ...['live', 'test', 'full', 'read_only', 'EUR', 'eur', 'one_time', 'subscription', 'month', 'published', 'comment', 'product.approved'],
  ...[
    '2026-02-01',
    '2026-02-30',
    '2026-02-01T09:00:00Z',
    'ada@example.com',
    'tok_ok',
    'http://127.0.0.1:9/hook',
    'https://[::1]/',
    'ftp://a',
  ],
];
const NUMBERS = ['0', '-0', '1', '-1', '1.5', '25', '101', '2500', '1e3', '1e999', '9007199254740993', '99999999999', '100000000000'];
const HEADERS = ['X-Request-Id', 'X-Service-Business-Id', 'X-Service-Mode', 'Consistency-Token', 'Idempotency-Key', 'Idempotency-Key'];
const ODD_HEADERS = ['Content-Encoding', 'Host', 'Expect', 'Upgrade', 'Range', 'If-Match', 'Cookie', 'Accept', 'X-Odd'];
const MEDIA_TYPES = [
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  ';;',
  'application/json; charset=x',
];
const DEEPEST = 4;

/** The values that a fuzzer draws from, so that some requests are valid. */
export interface Vocabulary {
  readonly routes: readonly Route[];
  readonly fields: readonly string[];
  readonly ids: readonly string[];
  readonly credentials: readonly string[];
  /** Valid bodies, by path. */
  readonly bodies: ReadonlyMap<string, object>;
}

export interface FuzzedRequest {
  readonly bytes: Buffer;
  /** Whether the request is complete, so that it must get a response. */
  readonly whole: boolean;
}

/** Creates nearly valid requests. The same seed creates the same requests. */
export class Fuzzer {
  private readonly random: SeededRandom;

  constructor(
    seed: number,
    private readonly vocabulary: Vocabulary,
  ) {
    this.random = new SeededRandom(seed);
  }

  request(): FuzzedRequest {
    const { method, path } = this.oneOf(this.vocabulary.routes);
    const sent = this.now(0.9) ? method : this.oneOf(METHODS);
    const body = sent === 'GET' ? '' : this.body(path);
    const head = [`${sent} ${this.target(path)} HTTP/1.1`, ...this.headers(), ...(body === '' ? [] : this.about(body))];
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
    return this.now(0.1) ? { bytes: this.damaged(bytes), whole: false } : { bytes, whole: true };
  }

  private target(path: string): string {
    const filled = path.replace(/:\w+/g, () =>
      this.now(0.7) ? this.oneOf(this.vocabulary.ids) : escaped(this.oneOf(TEXTS), this.now(0.8)),
    );
    return this.now(0.2) ? `${filled}?${this.several(() => this.parameter()).join('&')}` : filled;
  }

  private parameter(): string {
    const value = this.now(0.5) ? this.oneOf(NUMBERS) : escaped(this.oneOf(TEXTS), this.now(0.9));
    return `${this.oneOf([...this.vocabulary.fields, 'page', 'per_page', 'limit', 'after', 'status'])}=${value}`;
  }

  private headers(): string[] {
    const { credentials } = this.vocabulary;
    if (this.now(0.5)) return ['Connection: close', 'Host: api.example.com', `Authorization: Bearer ${credentials[0]}`];

    const lines = ['Connection: close'];
    if (this.now(0.98)) lines.push('Host: api.example.com');
    if (this.now(0.95)) lines.push(`Authorization: Bearer ${this.oneOf(credentials)}`);
    while (this.now(0.2)) lines.push(`${this.oneOf(HEADERS)}: ${this.headerValue()}`);
    if (this.now(0.05)) lines.push(`${this.oneOf(ODD_HEADERS)}: ${this.headerValue()}`);
    return lines;
  }

  private headerValue(): string {
    return this.oneOf([...TEXTS, ...NUMBERS, ...this.vocabulary.ids]);
  }

  private about(body: string): string[] {
    const type = this.now(0.95) ? MEDIA_TYPES[0]! : this.oneOf(MEDIA_TYPES);
    return [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`];
  }

  private body(path: string): string {
    if (this.now(0.1)) return '';
    const right = this.vocabulary.bodies.get(path);
    if (right !== undefined && this.now(0.5)) return this.varied(right);
    if (this.now(0.05)) return this.oneOf(TEXTS);
    return this.now(0.95) ? this.object(0) : this.value(0);
  }

  /** Returns a valid body, or one with an added or a changed field. */
  private varied(body: object): string {
    if (this.now(0.4)) return JSON.stringify(body);
    const name = this.oneOf([...Object.keys(body), ...this.vocabulary.fields]);
    return JSON.stringify(body).replace(/\}$/, () => `,${JSON.stringify(name)}:${this.value(0)}}`);
  }

  private value(depth: number): string {
    const kinds = [
      () => JSON.stringify(this.oneOf(TEXTS)),
      () => JSON.stringify(this.oneOf(this.vocabulary.ids)),
      () => this.oneOf(NUMBERS),
    ];
    const rare = [() => 'null', () => 'true', () => this.list(depth), () => this.object(depth)];
    return this.oneOf(depth < DEEPEST && this.now(0.4) ? rare : kinds)();
  }

  private list(depth: number): string {
    return `[${this.several(() => this.value(depth + 1)).join(',')}]`;
  }

  private object(depth: number): string {
    const entries = this.several(() => `${JSON.stringify(this.oneOf(this.vocabulary.fields))}:${this.value(depth + 1)}`);
    return `{${entries.join(',')}}`;
  }

  /** Changes, removes or inserts bytes, or cuts off the end. */
  private damaged(bytes: Buffer): Buffer {
    const at = Math.floor(this.random.next() * bytes.length);
    const noise = Buffer.from(this.several(() => Math.floor(this.random.next() * 256)));
    const [before, behind] = [bytes.subarray(0, at), bytes.subarray(at)];
    return this.oneOf([
      () => Buffer.concat([before, noise, behind]),
      () => Buffer.concat([before, noise, behind.subarray(noise.length)]),
      () => Buffer.concat([before, behind.subarray(noise.length)]),
      () => before,
    ])();
  }

  private several<T>(draw: () => T): T[] {
    const drawn = [draw()];
    while (this.now(0.6)) drawn.push(draw());
    return drawn;
  }

  private now(probability: number): boolean {
    return this.random.next() < probability;
  }

  private oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.random.next() * all.length)]!;
  }
}

function escaped(text: string, properly: boolean): string {
  return properly ? encodeURIComponent(text.toWellFormed()) : text;
}

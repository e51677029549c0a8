import { SeededRandom } from '../../support/clock.js';
import type { Route } from '../../support/routes.js';

const METHODS = [
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'PATCH',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'get',
  'JUMP',
];
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
  ...[
    'live',
    'test',
    'full',
    'read_only',
    'EUR',
    'eur',
    'one_time',
    'subscription',
    'month',
    'published',
    'comment',
    'product.approved',
  ],
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
const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '25',
  '101',
  '2500',
  '1e3',
  '1e999',
  '9007199254740993',
  '99999999999',
  '100000000000',
];
const HEADERS = [
  'X-Request-Id',
  'X-Service-Business-Id',
  'X-Service-Mode',
  'Consistency-Token',
  'Idempotency-Key',
  'Idempotency-Key',
];
const ODD_HEADERS = ['Content-Encoding', 'Host', 'Expect', 'Upgrade', 'Range', 'If-Match', 'Cookie', 'Accept', 'X-Odd'];
const MEDIA_TYPES = [
  'application/json',
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  ';;',
  'application/json; charset=x',
];
const MAX_DEPTH = 4;

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
  readonly isComplete: boolean;
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

  createRequest(): FuzzedRequest {
    const { method, path } = this.pick(this.vocabulary.routes);
    const sent = this.isDrawn(0.9) ? method : this.pick(METHODS);
    const body = sent === 'GET' ? '' : this.createBody(path);
    const head = [
      `${sent} ${this.createTarget(path)} HTTP/1.1`,
      ...this.createHeaders(),
      ...(body === '' ? [] : this.describeBody(body)),
    ];
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
    return this.isDrawn(0.1) ? { bytes: this.damage(bytes), isComplete: false } : { bytes, isComplete: true };
  }

  private createTarget(path: string): string {
    const filled = path.replace(/:\w+/g, () =>
      this.isDrawn(0.7) ? this.pick(this.vocabulary.ids) : escapePath(this.pick(TEXTS), this.isDrawn(0.8)),
    );
    return this.isDrawn(0.2) ? `${filled}?${this.repeat(() => this.createParameter()).join('&')}` : filled;
  }

  private createParameter(): string {
    const value = this.isDrawn(0.5) ? this.pick(NUMBERS) : escapePath(this.pick(TEXTS), this.isDrawn(0.9));
    return `${this.pick([...this.vocabulary.fields, 'page', 'per_page', 'limit', 'after', 'status'])}=${value}`;
  }

  private createHeaders(): string[] {
    const { credentials } = this.vocabulary;
    if (this.isDrawn(0.5))
      return ['Connection: close', 'Host: api.example.com', `Authorization: Bearer ${credentials[0]}`];

    const lines = ['Connection: close'];
    if (this.isDrawn(0.98)) lines.push('Host: api.example.com');
    if (this.isDrawn(0.95)) lines.push(`Authorization: Bearer ${this.pick(credentials)}`);
    while (this.isDrawn(0.2)) lines.push(`${this.pick(HEADERS)}: ${this.createHeaderValue()}`);
    if (this.isDrawn(0.05)) lines.push(`${this.pick(ODD_HEADERS)}: ${this.createHeaderValue()}`);
    return lines;
  }

  private createHeaderValue(): string {
    return this.pick([...TEXTS, ...NUMBERS, ...this.vocabulary.ids]);
  }

  private describeBody(body: string): string[] {
    const type = this.isDrawn(0.95) ? MEDIA_TYPES[0]! : this.pick(MEDIA_TYPES);
    return [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`];
  }

  private createBody(path: string): string {
    if (this.isDrawn(0.1)) return '';
    const right = this.vocabulary.bodies.get(path);
    if (right !== undefined && this.isDrawn(0.5)) return this.vary(right);
    if (this.isDrawn(0.05)) return this.pick(TEXTS);
    return this.isDrawn(0.95) ? this.createObject(0) : this.createValue(0);
  }

  /** Returns a valid body, or one with an added or a changed field. */
  private vary(body: object): string {
    if (this.isDrawn(0.4)) return JSON.stringify(body);
    const name = this.pick([...Object.keys(body), ...this.vocabulary.fields]);
    return JSON.stringify(body).replace(/\}$/, () => `,${JSON.stringify(name)}:${this.createValue(0)}}`);
  }

  private createValue(depth: number): string {
    const kinds = [
      () => JSON.stringify(this.pick(TEXTS)),
      () => JSON.stringify(this.pick(this.vocabulary.ids)),
      () => this.pick(NUMBERS),
    ];
    const rare = [() => 'null', () => 'true', () => this.createList(depth), () => this.createObject(depth)];
    return this.pick(depth < MAX_DEPTH && this.isDrawn(0.4) ? rare : kinds)();
  }

  private createList(depth: number): string {
    return `[${this.repeat(() => this.createValue(depth + 1)).join(',')}]`;
  }

  private createObject(depth: number): string {
    const entries = this.repeat(
      () => `${JSON.stringify(this.pick(this.vocabulary.fields))}:${this.createValue(depth + 1)}`,
    );
    return `{${entries.join(',')}}`;
  }

  /** Changes, removes or inserts bytes, or cuts off the end. */
  private damage(bytes: Buffer): Buffer {
    const at = Math.floor(this.random.next() * bytes.length);
    const noise = Buffer.from(this.repeat(() => Math.floor(this.random.next() * 256)));
    const [before, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
    return this.pick([
      () => Buffer.concat([before, noise, rest]),
      () => Buffer.concat([before, noise, rest.subarray(noise.length)]),
      () => Buffer.concat([before, rest.subarray(noise.length)]),
      () => before,
    ])();
  }

  private repeat<T>(draw: () => T): T[] {
    const drawn = [draw()];
    while (this.isDrawn(0.6)) drawn.push(draw());
    return drawn;
  }

  private isDrawn(probability: number): boolean {
    return this.random.next() < probability;
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random.next() * all.length)]!;
  }
}

function escapePath(text: string, properly: boolean): string {
  return properly ? encodeURIComponent(text.toWellFormed()) : text;
}

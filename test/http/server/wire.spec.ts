import { gzipSync } from 'node:zlib';
import { type Service, startService } from '../../support/service.js';
import { ProbeModule } from '../support/probe.js';
import { validateProblem } from '../support/problems.js';
import { sendRaw, sendRawAndEnd } from '../support/raw-http.js';

const HOST = 'Host: api.example.com';
const CLOSE = 'Connection: close';
const JSON_TYPE = 'Content-Type: application/json';
const ME = 'GET /v1/auth/me HTTP/1.1';
const PROBES = '/v1/commerce/probes';
const CLOSED = 0;

let service: Service;
let authorization: string;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  authorization = `Authorization: Bearer ${await service.createKey(await service.createBusiness())}`;
});
afterAll(() => service.stop());

/** Returns the bytes of a request. A Content-Length is added unless the lines contain one. */
function toMessage(lines: readonly string[], body: string | Buffer = ''): Buffer {
  const bytes = Buffer.from(body);
  const hasLength = lines.some((line) => /^(content-length|transfer-encoding)\s*:/i.test(line));
  const all = hasLength || bytes.length === 0 ? lines : [...lines, `Content-Length: ${bytes.length}`];
  return Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

function toPost(body: string | Buffer, ...lines: readonly string[]): Buffer {
  return toMessage([`POST ${PROBES} HTTP/1.1`, HOST, authorization, JSON_TYPE, CLOSE, ...lines], body);
}

function toGet(path: string, ...lines: readonly string[]): Buffer {
  return toMessage([`GET ${path} HTTP/1.1`, HOST, authorization, CLOSE, ...lines]);
}

/** A case without a code is a success, or a connection that is closed. */
type Case = readonly [what: string, bytes: () => string | Buffer, status: number, code: string];

const NAMED = '{"name":"a"}';

const BODIES: readonly Case[] = [
  ['5,000 lists within lists', () => toPost('['.repeat(5_000) + ']'.repeat(5_000)), 400, 'invalid_json'],
  ['5,000 objects within objects', () => toPost(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`), 400, 'invalid_json'],
  ['5,000 lists that never end', () => toPost('['.repeat(5_000)), 400, 'invalid_json'],
  ['bytes that are not UTF-8', () => toPost(Buffer.from('{"name":"\xff"}', 'latin1')), 400, 'invalid_json'],
  ['a surrogate in three bytes', () => toPost(Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')), 400, 'invalid_json'],
  ['a lone surrogate', () => toPost('{"name":"\\ud800"}'), 400, 'invalid_json'],
  ['U+0000 in escape', () => toPost('{"name":"\\u0000"}'), 400, 'invalid_json'],
  ['a NUL as it is', () => toPost('{"name":"\u0000"}'), 400, 'invalid_json'],
  ['an empty body of JSON', () => toPost('', 'Content-Length: 0'), 422, 'validation_failed'],
  ['a gzipped body', () => toPost(gzipSync(NAMED), 'Content-Encoding: gzip'), 415, 'unsupported_media_type'],
  ['null', () => toPost('null'), 422, 'validation_failed'],
  ['[[]] for a list of objects', () => toPost('{"name":"a","plans":[[]]}'), 422, 'validation_failed'],
  ['__proto__', () => toPost('{"name":"a","__proto__":{"admin":true}}'), 422, 'unknown_parameter'],
  ['constructor', () => toPost('{"name":"a","constructor":{"prototype":{}}}'), 422, 'unknown_parameter'],
  [
    'a number too large for a number',
    () => toPost('{"name":"a","plans":[{"amount_cents":1e999}]}'),
    400,
    'invalid_json',
  ],
  ['a string of one megabyte', () => toPost(`{"name":"${'x'.repeat(1_000_000)}"}`), 422, 'validation_failed'],
  [
    'more than 1 MiB in chunks',
    () => toPost(`180000\r\n${'x'.repeat(0x180000)}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked'),
    413,
    'payload_too_large',
  ],
  [
    'chunks that are JSON',
    () => toPost('5\r\n{"nam\r\n7;a=b\r\ne":"a"}\r\n0\r\nX-Trailer: a\r\n\r\n', 'Transfer-Encoding: chunked'),
    201,
    '',
  ],
  ['a body for a route without a body', () => toGet('/v1/auth/me', 'Content-Length: 2').toString() + '{}', 200, ''],
];

const HEADERS: readonly Case[] = [
  ['a key of one é in UTF-8', () => toPost(NAMED, `Idempotency-Key: ${Buffer.from('é').toString('latin1')}`), 201, ''],
  ['a key of one é in latin1', () => toPost(NAMED, 'Idempotency-Key: \xe9'), 400, 'invalid_idempotency_key'],
  ['two keys', () => toPost(NAMED, 'Idempotency-Key: a', 'Idempotency-Key: b'), 400, 'invalid_idempotency_key'],
  [
    'the same key twice',
    () => toPost(NAMED, 'Idempotency-Key: a', 'Idempotency-Key: a'),
    400,
    'invalid_idempotency_key',
  ],
  ['one key with a comma', () => toPost(NAMED, 'Idempotency-Key: a, b'), 201, ''],
  ['an empty key', () => toPost(NAMED, 'Idempotency-Key:'), 400, 'invalid_idempotency_key'],
  ['two credentials', () => toGet('/v1/auth/me', 'Authorization: Bearer b'), 400, 'bad_request'],
  [
    'two business headers',
    () => toGet('/v1/auth/me', 'X-Service-Business-Id: biz_a', 'X-Service-Business-Id: biz_b'),
    400,
    'invalid_parameter',
  ],
  [
    'a malformed media type',
    () => toMessage([`POST ${PROBES} HTTP/1.1`, HOST, authorization, 'Content-Type: ;;', CLOSE], NAMED),
    415,
    'unsupported_media_type',
  ],
  ['two lengths', () => toMessage([ME, HOST, 'Content-Length: 1', 'Content-Length: 2']), 400, 'bad_request'],
  ['a negative length', () => toMessage([ME, HOST, 'Content-Length: -1']), 400, 'bad_request'],
  ['a length of 40 digits', () => toMessage([ME, HOST, `Content-Length: ${'9'.repeat(40)}`]), 400, 'bad_request'],
  ['chunks of no size', () => toPost('zz\r\n', 'Transfer-Encoding: chunked'), 400, 'bad_request'],
  ['chunks that are not the last encoding', () => toPost('', 'Transfer-Encoding: chunked, gzip'), 400, 'bad_request'],
  ['a space before the colon', () => toMessage([ME, HOST, 'X-Odd : a']), 400, 'bad_request'],
  ['no colon', () => toMessage([ME, HOST, 'nonsense']), 400, 'bad_request'],
  ['no name', () => toMessage([ME, HOST, ': a']), 400, 'bad_request'],
  ['a carriage return alone', () => toMessage([ME, HOST, 'X-Odd: a\rb']), 400, 'bad_request'],
  ['lines that end in a line feed alone', () => `${ME}\n${HOST}\n\n`, 400, 'bad_request'],
  [
    '2,500 headers',
    () => toGet('/v1/auth/me', ...Array.from({ length: 2_500 }, (_, i) => `X-${i}: a`)),
    431,
    'headers_too_large',
  ],
  [
    'an upgrade to WebSocket',
    () =>
      toGet('/v1/auth/me')
        .toString()
        .replace(CLOSE, 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'),
    200,
    '',
  ],
];

const TARGETS: readonly Case[] = [
  ['a NUL for an id', () => toGet(`${PROBES}/%00`), 404, 'not_found'],
  ['an id with parent folders', () => toGet(`${PROBES}/..%2f..%2fetc%2fpasswd`), 404, 'not_found'],
  ['an id of 2,000 letters', () => toGet(`${PROBES}/${'x'.repeat(2_000)}`), 404, 'not_found'],
  ['49.5 KB long', () => toGet(`/v1/auth/me?a=${'x'.repeat(49_500)}`), 414, 'uri_too_long'],
  ['60 KB long', () => toGet(`/v1/auth/me?a=${'x'.repeat(60_000)}`), 414, 'uri_too_long'],
  [
    '8 KB long before 50 KB of headers',
    () => toGet(`/${'x'.repeat(8_191)}`, `X-Long: ${'x'.repeat(50_000)}`),
    431,
    'headers_too_large',
  ],
  ['an id in bytes that are not UTF-8', () => toGet(`${PROBES}/%ff`), 400, 'bad_request'],
  [
    'a guarded path with an encoded letter',
    () => toMessage(['GET /v1/commerce/prob%65s HTTP/1.1', HOST, CLOSE]),
    401,
    'authentication_required',
  ],
  ['a guarded path after two slashes', () => toMessage([`GET /${PROBES} HTTP/1.1`, HOST, CLOSE]), 404, 'not_found'],
  [
    'a guarded path with a slash at its end',
    () => toMessage([`GET ${PROBES}/ HTTP/1.1`, HOST, CLOSE]),
    401,
    'authentication_required',
  ],
  [
    'a guarded path in capitals',
    () => toMessage([`GET ${PROBES.toUpperCase()} HTTP/1.1`, HOST, CLOSE]),
    404,
    'not_found',
  ],
  ['a space in the target', () => toMessage(['GET /v1/auth/me now HTTP/1.1', HOST]), 400, 'bad_request'],
  ['the whole server', () => toMessage(['OPTIONS * HTTP/1.1', HOST, CLOSE]), 404, 'not_found'],
  [
    'an absolute URL',
    () => toMessage(['GET http://elsewhere.example/v1/auth/me HTTP/1.1', HOST, CLOSE]),
    401,
    'authentication_required',
  ],
  ['a method in small letters', () => toMessage(['get /v1/auth/me HTTP/1.1', HOST]), 400, 'bad_request'],
  ['TRACE', () => toMessage(['TRACE /v1/auth/me HTTP/1.1', HOST, CLOSE]), 405, 'method_not_allowed'],
  ['HTTP 0.9', () => 'GET /v1/auth/me\r\n\r\n', 400, 'bad_request'],
  ['HTTP 3', () => toMessage(['GET /v1/auth/me HTTP/3.0', HOST]), 400, 'bad_request'],
  ['the first words of HTTP 2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad_request'],
  ['the first words of TLS', () => Buffer.from('16030100f0010000ec0303', 'hex'), 400, 'bad_request'],
  ['a CONNECT request', () => toMessage(['CONNECT api.example.com:443 HTTP/1.1', HOST]), 405, 'method_not_allowed'],
];

const INTERRUPTED: readonly Case[] = [
  ['nothing', () => '', CLOSED, ''],
  ['half a request line', () => 'GET /v1/au', 400, 'bad_request'],
  ['half of the headers', () => `${ME}\r\n${HOST}\r\nX-Ha`, 400, 'bad_request'],
  ['half a body', () => toPost('{"name"', 'Content-Length: 20'), 400, 'bad_request'],
  ['half a chunk', () => toPost('5\r\n{"n', 'Transfer-Encoding: chunked'), 400, 'bad_request'],
];

async function expectReply(reply: Awaited<ReturnType<typeof sendRaw>>, status: number, code: string): Promise<void> {
  expect(reply.status).toBe(status);
  if (code !== '') {
    expect(validateProblem(reply)).toEqual([]);
    expect((JSON.parse(reply.body) as { readonly code: string }).code).toBe(code);
  }
  expect((await sendRaw(service.url, toGet('/v1/auth/me'))).status).toBe(200);
}

describe.each<[string, readonly Case[]]>([
  ['A body', BODIES],
  ['A header', HEADERS],
  ['A target', TARGETS],
])('%s', (_, cases) => {
  it.each(cases)('gets the expected response for %s, and the next request succeeds', async (_, bytes, status, code) =>
    expectReply(await sendRaw(service.url, bytes()), status, code),
  );
});

describe('A caller who closes the connection', () => {
  it.each(INTERRUPTED)(
    'after %s gets a response or none, and the next request succeeds',
    async (_, bytes, status, code) => expectReply(await sendRawAndEnd(service.url, bytes()), status, code),
  );
});

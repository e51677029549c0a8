import { type Service, startService } from '../../support/service.js';
import { sendRaw } from '../support/raw-http.js';

const REQUEST_LINE = 'GET /v1/auth/me HTTP/1.1';
const HOST = 'Host: api.example.com';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

function toRequestBytes(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
}

const post = 'POST /v1/businesses HTTP/1.1';

const CASES: readonly [what: string, bytes: string, status: number, code: string][] = [
  ['an unknown path', toRequestBytes('GET /v1/nothing HTTP/1.1', HOST), 404, 'not_found'],
  ['an encoded letter in the path', toRequestBytes('GET /v1/auth/m%65 HTTP/1.1', HOST), 401, 'authentication_required'],
  ['a path with a parent folder', toRequestBytes('GET /v1/auth/..%2fme HTTP/1.1', HOST), 404, 'not_found'],
  ['a bad escape', toRequestBytes('GET /v1/auth/%zz HTTP/1.1', HOST), 400, 'bad_request'],
  ['another method', toRequestBytes('DELETE /v1/auth/me HTTP/1.1', HOST), 405, 'method_not_allowed'],
  ['HEAD', toRequestBytes('HEAD /v1/auth/me HTTP/1.1', HOST), 401, ''],
  ['OPTIONS', toRequestBytes('OPTIONS /v1/auth/me HTTP/1.1', HOST), 405, 'method_not_allowed'],
  ['a method that HTTP does not know', toRequestBytes('JUMP /v1/auth/me HTTP/1.1', HOST), 400, 'bad_request'],
  ['no host', toRequestBytes(REQUEST_LINE), 400, 'bad_request'],
  ['two hosts', toRequestBytes(REQUEST_LINE, HOST, HOST), 400, 'bad_request'],
  [
    'two credentials',
    toRequestBytes(REQUEST_LINE, HOST, 'Authorization: Bearer a.b.c', 'authorization: Bearer d.e.f'),
    400,
    'bad_request',
  ],
  ['a NUL in a header', toRequestBytes(REQUEST_LINE, HOST, 'X-Odd: a\u0000b'), 400, 'bad_request'],
  ['a folded header', toRequestBytes(REQUEST_LINE, HOST, 'X-Odd: a\r\n b'), 400, 'bad_request'],
  [
    'a length beside chunks',
    toRequestBytes(post, HOST, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    400,
    'bad_request',
  ],
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'bad_request'],
  ['HTTP 0.9', 'GET /\r\n\r\n', 400, 'bad_request'],
  ['HTTP 0.9 to the API', 'GET /v1/auth/me\r\n\r\n', 400, 'bad_request'],
  ['an unknown expectation', toRequestBytes(REQUEST_LINE, HOST, 'Expect: a miracle'), 417, 'expectation_failed'],
  ['a target of 9 KB', toRequestBytes(`GET /v1/auth/me?a=${'x'.repeat(9_000)} HTTP/1.1`, HOST), 414, 'uri_too_long'],
  [
    'a target of 100 KB',
    toRequestBytes(`GET /v1/auth/me?a=${'x'.repeat(100_000)} HTTP/1.1`, HOST),
    414,
    'uri_too_long',
  ],
  ['17 KB of headers', toRequestBytes(REQUEST_LINE, HOST, `X-Long: ${'x'.repeat(17_000)}`), 431, 'headers_too_large'],
  ['100 KB of headers', toRequestBytes(REQUEST_LINE, HOST, `X-Long: ${'x'.repeat(100_000)}`), 431, 'headers_too_large'],
  ['a body of 2 MB', toRequestBytes(post, HOST, 'Content-Length: 2000000'), 413, 'payload_too_large'],
];

describe('The response to a request that reaches no handler', () => {
  it.each(CASES)('is a problem document for %s', async (_, bytes, status, code) => {
    const reply = await sendRaw(service.url, bytes);

    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    if (code === '') return expect(reply.body).toBe('');
    const problem = JSON.parse(reply.body) as { readonly type: string; readonly request_id: string };
    expect(Object.keys(problem).sort()).toEqual(['code', 'detail', 'errors', 'request_id', 'status', 'title', 'type']);
    expect(problem).toMatchObject({
      status,
      code,
      errors: [],
      type: `${service.url}/problems/${code}`,
      request_id: reply.headers.get('x-request-id'),
    });
  });

  it('is sent on a connection that was used before', async () => {
    const first = `${REQUEST_LINE}\r\n${HOST}\r\n\r\n`;
    const reply = await sendRaw(service.url, first, 'hello\r\n\r\n');

    expect(reply.status).toBe(401);
    expect(reply.body).toContain('HTTP/1.1 400');
    expect(reply.body).toContain('"code":"bad_request"');
  });

  it('names the methods that are allowed', async () => {
    const reply = await sendRaw(service.url, toRequestBytes('PUT /v1/businesses HTTP/1.1', HOST));

    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('lists the methods of a path with parameters', async () => {
    const reply = await sendRaw(service.url, toRequestBytes('POST /v1/commerce/orders/ord_1 HTTP/1.1', HOST));

    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('The request id', () => {
  it('is the valid id that the caller sent', async () => {
    const reply = await service.createApi().get('/v1/auth/me', { 'x-request-id': 'mine-1_A' });

    expect(reply.headers.get('x-request-id')).toBe('mine-1_A');
    expect(reply.body.request_id).toBe('mine-1_A');
  });

  it.each(['x', 'x'.repeat(64), '-_'])('accepts %s', async (given) => {
    expect((await service.createApi().get('/v1/auth/me', { 'x-request-id': given })).body.request_id).toBe(given);
  });

  it.each(['', 'with space', 'x'.repeat(65), 'a<b'])('is a new id in place of %j', async (given) => {
    const reply = await service.createApi().get('/v1/auth/me', { 'x-request-id': given });

    expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
  });
});

describe('The page of a problem code', () => {
  it('is served at the type of the problem, without a credential', async () => {
    const { body } = await service.createApi().get('/v1/auth/me');
    const page = await fetch((body as { type: string }).type);

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('authentication_required');
  });

  it('is a 404 for an unknown code', async () => {
    expect((await service.createApi().get('/problems/constructor')).status).toBe(404);
  });
});

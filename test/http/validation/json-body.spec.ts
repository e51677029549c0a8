import type { ApiResponse } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { Probe, ProbeModule } from '../support/probe.js';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  key = await service.createKey(await service.createBusiness());
});
afterAll(() => service.stop());

async function send(
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  area = 'commerce',
) {
  const init = { method: 'POST', headers: { authorization: `Bearer ${key}`, ...headers }, body: Buffer.from(body) };
  const response = await fetch(`${service.url}/v1/${area}/probes`, init);
  return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
}

const sendJson = (body: unknown, area?: string) => send(JSON.stringify(body), undefined, area);
const items = ({ body }: { body: ApiResponse['body'] }) =>
  (body.errors as { code: string; param: string }[]).map(({ code, param }) => [param, code]);
const nested = (depth: number) => `{"name":"a","metadata":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth - 1)}}`;

describe('A JSON body', () => {
  it.each<[string, string | Buffer]>([
    ['cannot be parsed', '{"name":'],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['has a byte order mark', '\ufeff{"name":"a"}'],
    ['has 33 levels', nested(33)],
    ['has 5,000 lists within lists', '['.repeat(5_000) + ']'.repeat(5_000)],
    ['has a lone surrogate', '{"name":"\\ud800"}'],
    ['has a lone surrogate in a key', '{"name":"a","metadata":{"\\udc00":1}}'],
    ['has U+0000', '{"name":"\\u0000"}'],
  ])('is rejected when it %s', async (_, body) => {
    const reply = await send(body);

    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_json']);
  });

  it.each([
    ['12345678901234567890', 'an integer beyond 2^53'],
    ['9007199254740993', 'the first integer that a double lacks'],
    ['-9007199254740993', 'a negative integer beyond 2^53'],
    ['1e400', 'a number that overflows'],
    ['-1e400', 'a negative number that overflows'],
    ['1e21', 'an integer in exponential form beyond 2^53'],
    ['1e-400', 'a number that would become 0'],
    ['100.00000000000000001', 'a number that would become 100'],
    [`1${'0'.repeat(500)}`, 'a number of 501 digits'],
  ])('is rejected for %s, %#', async (literal) => {
    const reply = await send(`{"name":"a",\n "metadata":{"n":[1,${literal}]}}`);

    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_json']);
    expect(reply.body.detail).toContain('the number at line 2, column 21 cannot be stored as it was sent');
  });

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '1e3',
    '1.50e2',
    '0e999999999',
    '0.1000000000000000055',
    '3.141592653589793238',
    '100.000000000000000',
    '"12345678901234567890"',
    '"1e400"',
  ])('accepts the number %s', async (literal) => {
    expect((await send(`{"name":"a","metadata":{"n":${literal}}}`)).status).toBe(201);
  });

  it('accepts 32 levels', async () => {
    expect((await send(nested(32))).status).toBe(201);
  });

  it.each<[string, Record<string, string>]>([
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['of no media type', {}],
    ['of a malformed media type', { 'content-type': 'json' }],
    ['in another character set', { 'content-type': 'application/json; charset=latin1' }],
    ['with a content encoding', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('gets a 415 when it is %s', async (_, headers) => {
    const reply = await send('{"name":"a"}', headers);

    expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    'accepts the media type %s',
    async (type) => {
      expect((await send('{"name":"a"}', { 'content-type': type })).status).toBe(201);
    },
  );

  it('counts as missing when it is empty, with any media type', async () => {
    const reply = await send('');

    expect([reply.status, items(reply)]).toEqual([422, [['name', 'required']]]);
  });

  it('rejects more than 1 MiB', async () => {
    const reply = await send(`{"name":"${'x'.repeat(1024 * 1024)}"}`);

    expect([reply.status, reply.body.code]).toEqual([413, 'payload_too_large']);
  });
});

describe('A body for an operation without a body', () => {
  const rotate = async (body: string, type = 'application/json') => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': type,
      'idempotency-key': JSON.stringify([type, body]),
    };
    const response = await fetch(`${service.url}/v1/webhooks/probes/whs_1/rotations`, {
      method: 'POST',
      headers,
      body,
    });
    return [response.status, ((await response.json()) as ApiResponse['body']).code];
  };

  it.each(['', '{}', ' { } '])('accepts %j', async (body) => expect(await rotate(body)).toEqual([201, undefined]));

  it.each<[string, string, number, string]>([
    ['{"nope":1}', 'application/json', 422, 'unknown_parameter'],
    ['[]', 'application/json', 422, 'validation_failed'],
    ['{"nope"', 'application/json', 400, 'invalid_json'],
    ['nope', 'text/plain', 415, 'unsupported_media_type'],
  ])('cannot be %s as %s', async (body, type, status, code) =>
    expect(await rotate(body, type)).toEqual([status, code]),
  );
});

describe('The validation of a body', () => {
  it.each(['null', '[]', '5', '"a"', '[[]]'])('rejects %s', async (body) => {
    const reply = await send(body);

    expect([reply.status, reply.body.code, reply.body.errors]).toMatchObject([
      422,
      'validation_failed',
      [{ code: 'invalid_type' }],
    ]);
  });

  it('names each invalid field by its path, with a code', async () => {
    const reply = await sendJson({ name: 5, plans: [{ amount_cents: 1 }, { amount_cents: -1 }, {}] });

    expect([reply.status, reply.body.code]).toEqual([422, 'validation_failed']);
    expect(items(reply)).toEqual([
      ['name', 'invalid_type'],
      ['plans[1].amount_cents', 'too_small'],
      ['plans[2].amount_cents', 'required'],
    ]);
  });

  it.each(['nope', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'rejects the unknown field %s',
    async (field) => {
      const reply = await send(`{"name":"a","${field}":{"a":1}}`);

      expect([reply.status, reply.body.code, items(reply)]).toEqual([
        422,
        'unknown_parameter',
        [[field, 'unknown_parameter']],
      ]);
    },
  );

  it('finds unknown fields in nested objects', async () => {
    const reply = await send('{"name":"a","plans":[{"amount_cents":1,"__proto__":{}},{"amount_cents":1,"x":1}]}');

    expect(items(reply).sort()).toEqual([
      ['plans[0].__proto__', 'unknown_parameter'],
      ['plans[1].x', 'unknown_parameter'],
    ]);
  });

  it.each([[[[]]], [[5]], [[null]], ['text'], [{}]])('rejects %j in place of a list of objects', async (plans) => {
    const reply = await sendJson({ name: 'a', plans });

    expect([reply.status, reply.body.code]).toEqual([422, 'validation_failed']);
  });

  it.each<[string, unknown]>([
    ['an object in the place of a list', {}],
    ['a string in the place of a list', 'text'],
    ['a number in the place of a list', 5],
  ])('reports only one error for %s', async (_, plans) => {
    expect(items(await sendJson({ name: 'a', plans }))).toEqual([['plans', 'invalid_type']]);
  });

  it('names invalid elements of a list by index', async () => {
    expect(items(await sendJson({ name: 'a', plans: [{ amount_cents: 1 }, 5, [], {}] }))).toEqual([
      ['plans[1]', 'invalid_type'],
      ['plans[2]', 'invalid_type'],
      ['plans[3].amount_cents', 'required'],
    ]);
    const reply = await service
      .createApi(key)
      .post('/v1/webhooks/endpoints', { url: 'https://example.com', event_types: ['*', 'nope', 5] });
    expect(items(reply)).toEqual([
      ['event_types[0]', 'invalid_value'],
      ['event_types[1]', 'event_type_unknown'],
      ['event_types[2]', 'invalid_type'],
    ]);
  });

  it('uses the code of the errors as the code of the problem when they have the same code', async () => {
    expect((await sendJson({ name: 'a', url: 'ftp' })).body.code).toBe('url_not_allowed');
    expect((await sendJson({ name: 'a', url: 'ftp', nope: 1 })).body.code).toBe('validation_failed');
  });

  it('names fields by `field` in the community', async () => {
    const { body } = await sendJson({ nope: 1, name: 'a' }, 'community');

    expect(body.errors).toEqual([{ code: 'unknown_parameter', detail: 'nope is not a known field.', field: 'nope' }]);
  });

  it('passes free-form fields to the handler unchanged', async () => {
    const metadata = '{"constructor":"c","prototype":{"a":[1,[2]]},"a.b":"$x","then":null}';
    const reply = await send(`{"name":"a","metadata":${metadata}}`);

    expect(JSON.stringify(reply.body.data.metadata)).toBe(metadata);
    expect(JSON.stringify((service.get(Probe).runs.at(-1)!.body as { metadata: object }).metadata)).toBe(metadata);
  });
});

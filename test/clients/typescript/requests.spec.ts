import { text } from 'node:stream/consumers';
import {
  type ClientOptions,
  createClient,
  type EndedAttempt,
  isProblem,
} from '../../../clients/typescript/src/index.ts';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { drip, hang, type ReceiverResponse, reset, respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';

const PATH = '/v1/reports';
const API_KEY = 'sk_test_1';
const REQUEST_ID = 'req_1';

let server: Receiver;
beforeEach(async () => {
  server = await Receiver.start();
});
afterEach(() => server.stop());

const connect = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: server.url(), apiKey: API_KEY, backoffMs: 1, ...options });

function problem(status: number, code: string): ReceiverResponse {
  const body = { type: `https://api.example/problems/${code}`, title: code, status, code, errors: [] };
  return respondWith(status, { 'x-request-id': REQUEST_ID }, JSON.stringify(body));
}

describe('client.request', () => {
  it('sends any method, query and body, and returns the response of fetch', async () => {
    server.setResponses(`${PATH}?a=1&kind=x&kind=y`, respondWith(202, { 'x-one': '1' }, 'text'));
    const response = await connect().request('patch', `${PATH}?a=1`, { query: { kind: ['x', 'y'] }, body: { a: 1 } });

    expect([response.status, response.headers.get('x-one'), await response.text()]).toEqual([202, '1', 'text']);
    expect(server.requests[0]).toMatchObject({
      method: 'PATCH',
      body: '{"a":1}',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    });
  });

  it('repeats a POST with the same key', async () => {
    server.setResponses(PATH, reset(), problem(503, 'service_unavailable'), respondWith(204));
    await connect().request('POST', PATH, { body: {} });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);

    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('repeats no POST that the community would run twice', async () => {
    server.setResponses('/v1/community/polls', reset(), respondWith(200));

    await expect(connect().request('POST', '/v1/community/polls')).rejects.toMatchObject({ fault: 'closed' });
    expect(server.requests).toHaveLength(1);
  });

  it('fails with the problem of the service', async () => {
    server.setResponses(PATH, problem(404, 'not_found'));
    const error: unknown = await connect()
      .request('GET', PATH)
      .catch((failure: unknown) => failure);

    expect(isProblem(error, 'not_found')).toBe(true);
  });

  it('leaves the body of a success to the caller, for as long as it takes', async () => {
    server.setResponses(PATH, drip(50));
    const controller = new AbortController();
    const { signal } = controller;
    const { body } = await connect({ timeoutMs: 100 }).request('GET', PATH, { signal });
    const parts: string[] = [];
    const reading = (async () => {
      for await (const part of body!.pipeThrough(new TextDecoderStream()))
        if (parts.push(part) === 5) controller.abort();
    })();

    await expect(reading).rejects.toThrow('aborted');
    expect(parts).toHaveLength(5);
  });

  it.each(['v1/reports', '@other.example/', '.other.example/', ''])(
    'refuses the path %j, which would lead to another host',
    async (path) => {
      await expect(connect().request('GET', path)).rejects.toThrow(TypeError);
      expect(server.requests).toEqual([]);
    },
  );
});

describe('The hooks of a client', () => {
  it('see each attempt with its outcome, and never the key', async () => {
    server.setResponses('/v1/auth/me?a=1', reset(), problem(503, 'service_unavailable'), respondWith(200, {}, '{}'));
    const sent: unknown[] = [];
    const ended: EndedAttempt[] = [];
    const client = connect({ onRequest: (each) => sent.push(each), onResponse: (each) => void ended.push(each) });
    await client.request('GET', '/v1/auth/me', { query: { a: 1 } });
    const attempt = { method: 'GET', url: server.url('/v1/auth/me?a=1') };

    expect(sent).toEqual([1, 2, 3].map((number) => ({ ...attempt, attempt: number })));
    expect(ended).toEqual([
      {
        ...attempt,
        attempt: 1,
        durationMs: expect.any(Number),
        status: null,
        requestId: null,
        error: expect.objectContaining({ fault: 'closed' }),
      },
      { ...attempt, attempt: 2, durationMs: expect.any(Number), status: 503, requestId: REQUEST_ID },
      { ...attempt, attempt: 3, durationMs: expect.any(Number), status: 200, requestId: null },
    ]);
    expect(JSON.stringify([sent, ended])).not.toContain(API_KEY);
  });

  it('see that the caller aborts', async () => {
    server.setResponses('/v1/auth/me', hang());
    const controller = new AbortController();
    const ended: EndedAttempt[] = [];
    const client = connect({
      onRequest: () => queueMicrotask(() => controller.abort('enough')),
      onResponse: (each) => void ended.push(each),
    });

    await expect(client.identity.caller.retrieve({ signal: controller.signal })).rejects.toBe('enough');
    expect(ended).toMatchObject([{ status: null, error: 'enough' }]);
  });

  it.each(['onRequest', 'onResponse'] as const)('end the call with the error of %s, once', async (hook) => {
    const failure = new Error('a mistake in the hook');
    let calls = 0;
    const fail = () => {
      calls++;
      throw failure;
    };

    await expect(connect({ [hook]: fail }).identity.caller.retrieve()).rejects.toBe(failure);
    expect(calls).toBe(1);
  });
});

describe('A response of a call', () => {
  it('has its status, its headers and its text', async () => {
    server.setResponses('/v1/auth/me', respondWith(200, { 'x-one': '1' }, '{"data": {"a":1}}'));
    const response = await connect().identity.caller.retrieve().withResponse();

    expect(response).toMatchObject({ status: 200, data: { a: 1 }, text: '{"data": {"a":1}}' });
    expect(response.headers.get('x-one')).toBe('1');
  });
});

describe('A file of the service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('is downloaded by client.request', async () => {
    const apiKey = await service.createKey(await service.createBusiness());
    const client = createClient({ baseUrl: service.url, apiKey });
    await client.commerce.products.create({ name: 'A course' });
    const { id } = await client.audit.exports.create({ format: 'ndjson' });
    await eventually(
      () => client.audit.exports.retrieve(id),
      ({ status }) => status === 'completed',
    );
    const { body, headers } = await client.request('GET', `/v1/audit/exports/${id}/file`);

    expect(headers.get('content-type')).toContain('ndjson');
    expect(await text(body as never)).toContain('ProductCreated');
  });
});

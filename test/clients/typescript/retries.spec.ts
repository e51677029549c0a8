import {
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  ProblemError,
  UnexpectedResponseError,
} from '../../../clients/typescript/src/index.ts';
import { Receiver } from '../../support/receiver.js';
import { hang, type ReceiverResponse, repeat, reset, respondWith } from '../../support/receiver-responses.js';

const REFUNDS = '/v1/commerce/payments/pay_1/refunds';
const POSTS = '/v1/community/communities/com_1/posts';
const DONE = respondWith(201, { 'content-type': 'application/json' }, '{"data":{"id":"ref_1"}}');

let server: Receiver;
beforeEach(async () => {
  server = await Receiver.start();
});
afterEach(() => server.stop());

const connect = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: server.url('/'), apiKey: 'sk_test_1', backoffMs: 1, ...options });

function problem(status: number, code: string, headers: Record<string, string> = {}): ReceiverResponse {
  const body = { type: `https://api.example/problems/${code}`, title: code, status, code, errors: [] };
  return respondWith(status, { 'content-type': 'application/problem+json', ...headers }, JSON.stringify(body));
}

/** Sends the status and a part of the body, and cuts the connection. */
const cut: ReceiverResponse = (request, response) => {
  response.writeHead(201, { 'content-length': 1000 });
  response.write('{"data":', () => request.socket.resetAndDestroy());
};

const keysOf = (path: string) => server.requestsFor(path).map(({ headers }) => headers['idempotency-key']);

describe('A request of the client', () => {
  it.each([
    ['a reset connection', reset()],
    ['a connection that is cut within the response', cut],
    ['a 502 of a proxy', respondWith(502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>')],
    ['a 503', problem(503, 'service_unavailable', { 'retry-after': '0' })],
    ['a 504', respondWith(504)],
    ['a 429', problem(429, 'rate_limited', { 'retry-after': '0' })],
    [
      'a 409 while the first request runs',
      problem(409, 'idempotency_key_in_progress', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    ],
    ['a 409 because of a concurrent change', problem(409, 'concurrent_update')],
  ])('is repeated with the same key and the same body after %s', async (_, failure) => {
    server.setResponses(REFUNDS, failure, DONE);
    const refund = await connect().commerce.refunds.create('pay_1', { amount_cents: 100 });

    expect(refund).toEqual({ id: 'ref_1' });
    expect(server.requestsFor(REFUNDS).map(({ body }) => body)).toEqual(Array(2).fill('{"amount_cents":100}'));
    const [first, second] = keysOf(REFUNDS);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });

  it('gets its own key, or the given key in UTF-8', async () => {
    server.setResponses(REFUNDS, DONE);
    const { refunds } = connect().commerce;
    await refunds.create('pay_1');
    await refunds.create('pay_1');
    await refunds.create('pay_1', undefined, { idempotencyKey: 'zurück' });
    const [first, second, given] = keysOf(REFUNDS) as string[];

    expect(second).not.toBe(first);
    expect(Buffer.from(given!, 'latin1').toString()).toBe('zurück');
  });

  it.each([
    ['a 500', problem(500, 'internal_error')],
    ['a rejection', problem(422, 'refund_declined')],
    ['another request with its key', problem(409, 'idempotency_key_conflict')],
    ['a long Retry-After', problem(503, 'service_unavailable', { 'retry-after': '3600' })],
  ])('is not repeated after %s', async (_, failure) => {
    server.setResponses(REFUNDS, failure);

    await expect(connect().commerce.refunds.create('pay_1')).rejects.toBeInstanceOf(ProblemError);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['a reset connection', reset(), ConnectionError],
    ['a 502', respondWith(502), UnexpectedResponseError],
    ['a 503', problem(503, 'service_unavailable'), ProblemError],
  ])('that the service would run twice is not repeated after %s', async (_, failure, error) => {
    server.setResponses(POSTS, failure);

    await expect(connect().community.posts.create('com_1', { content: 'Hello' })).rejects.toBeInstanceOf(error);
    expect(server.requests).toHaveLength(1);
  });

  it('that the service would run twice is repeated after a 429', async () => {
    server.setResponses(POSTS, problem(429, 'rate_limited'), DONE);
    await connect().community.posts.create('com_1', { content: 'Hello' });

    expect(server.requests).toHaveLength(2);
  });

  it('ends with the last error and its key after the allowed repetitions', async () => {
    server.setResponses(REFUNDS, ...repeat(9, reset()));
    const error = await connect({ maxRetries: 2 })
      .commerce.refunds.create('pay_1', {}, { idempotencyKey: 'first' })
      .catch((failure: unknown) => failure);

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ idempotencyKey: 'first' });
    expect(keysOf(REFUNDS)).toEqual(['first', 'first', 'first']);
  });

  it('is repeated after an attempt without a response in time', async () => {
    server.setResponses(REFUNDS, hang(), DONE);
    await connect({ timeoutMs: 200 }).commerce.refunds.create('pay_1');

    expect(new Set(keysOf(REFUNDS)).size).toBe(1);
    expect(server.requests).toHaveLength(2);
  });

  it('ends when its signal aborts, during an attempt and during a pause', async () => {
    const reason = new Error('enough');
    const calls = [
      [hang(), connect()],
      [reset(), connect({ backoffMs: 60_000 })],
    ] as const;
    for (const [response, client] of calls) {
      server.setResponses(REFUNDS, response);
      const controller = new AbortController();
      const before = server.requests.length;
      const call = client.commerce.refunds.create('pay_1', {}, { signal: controller.signal });
      await server.waitUntil(() => server.requests.length > before);
      controller.abort(reason);

      await expect(call).rejects.toBe(reason);
    }
  });

  it('asks for the credential before each attempt', async () => {
    const tokens = ['first', 'second'];
    server.setResponses('/v1/auth/me', reset(), respondWith(200, {}, '{"data":{}}'));
    await connect({ apiKey: () => Promise.resolve(tokens.shift()!) }).identity.caller.retrieve();

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
  });

  it.each(['', '.', '..'])('refuses the id %j, which would lead to another path', (id) =>
    expect(() => connect().commerce.orders.retrieve(id)).toThrow(TypeError),
  );

  it('keeps an id within one segment of the path', async () => {
    server.setResponses('/v1/commerce/orders/..%2Fme%3Fa', respondWith(200, {}, '{"data":{}}'));

    expect(await connect().commerce.orders.retrieve('../me?a')).toEqual({});
  });
});

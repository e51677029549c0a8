import type { Api } from '../../support/api.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { Probe, ProbeModule } from '../support/probe.js';
import { sendRaw } from '../support/raw-http.js';

const PATH = '/v1/commerce/probes';
const BODY = { name: 'a' };
const ROTATION = '/v1/webhooks/probes/whs_1/rotations';

let service: Service;
let probe: Probe;
let business: TestBusiness;
let key: string;
let api: Api;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  probe = service.get(Probe);
  business = await service.createBusiness();
  key = await service.createKey(business);
  api = service.createApi(key);
});
afterAll(() => service.stop());

let used = 0;
const fresh = () => ({ 'idempotency-key': `key-${++used}` });

/** Encodes UTF-8 bytes as latin1, which fetch requires for headers. */
const onWire = (text: string) => ({ 'idempotency-key': Buffer.from(text).toString('latin1') });

describe('A completed request', () => {
  it('gets the same bytes again, and runs once', async () => {
    const headers = fresh();
    const runs = probe.runs.length;
    const first = await api.post(PATH, BODY, headers);
    const again = await api.post(PATH, BODY, headers);

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(first.body.data).toEqual({
      id: `run_${runs + 1}`,
      buyer: { object: 'buyer', email: 'Ann@example.com' },
      metadata: {},
      name: 'a',
    });
    expect(probe.runs).toHaveLength(runs + 1);
  });

  it('marks a repeated response', async () => {
    const headers = fresh();
    const replies = [await api.post(PATH, BODY, headers), await api.post(PATH, BODY, headers)];

    expect(replies.map((reply) => reply.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  it('is the same with an empty object as without a body for a route without a body', async () => {
    const headers = fresh();
    const replies = [await api.post(ROTATION, undefined, headers), await api.post(ROTATION, {}, headers)];

    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[1]!.headers.get('idempotent-replayed')).toBe('true');
  });

  it('differs with an empty object for a route with a body', async () => {
    const headers = fresh();
    await api.post(PATH, BODY, headers);

    expect((await api.post(PATH, {}, headers)).body.code).toBe('idempotency_key_conflict');
  });

  it('keeps a status other than that of the route', async () => {
    const headers = fresh();
    const replies = [await api.post(`${PATH}/found`, BODY, headers), await api.post(`${PATH}/found`, BODY, headers)];

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]!.text).toBe(replies[1]!.text);
  });

  it('is repeated without its secret', async () => {
    const headers = fresh();
    const first = await api.post(ROTATION, undefined, headers);
    const again = await api.post(ROTATION, undefined, headers);

    expect(first.body).toEqual({ data: { id: 'whs_1', signing_secret: 'whsec_1' } });
    expect([again.status, again.body]).toEqual([201, { data: { id: 'whs_1' } }]);
  });

  it('conflicts with another body, path or method with the same key', async () => {
    const headers = fresh();
    await api.post(PATH, BODY, headers);

    for (const reply of [await api.post(PATH, { name: 'b' }, headers), await api.post(`${PATH}/found`, BODY, headers)])
      expect([reply.status, reply.body.code]).toEqual([409, 'idempotency_key_conflict']);
  });

  it('is separate for another business and for another mode', async () => {
    const headers = fresh();
    const other = await service.createBusiness('Another', 'other');
    const callers = [
      api,
      service.createApi(await service.createKey(business, { mode: 'test' })),
      service.createApi(await service.createKey(other)),
    ];
    const ids = await Promise.all(
      callers.map(async (caller) => (await caller.post(PATH, BODY, headers)).body.data.id as string),
    );

    expect(new Set(ids).size).toBe(3);
  });

  it('is repeated before the body is validated, in any state of the resource', async () => {
    const headers = fresh();
    await api.post(PATH, BODY, headers);

    expect((await api.post(PATH, 5, headers)).body.code).toBe('idempotency_key_conflict');
  });
});

describe('A running request', () => {
  it('rejects a second request with its key, with a Retry-After', async () => {
    const headers = fresh();
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    probe.next = () => {
      started.resolve();
      return gate.promise;
    };
    const first = api.post(PATH, BODY, headers);
    await started.promise;
    const second = await api.post(PATH, BODY, headers);
    gate.resolve();

    expect([second.status, second.body.code, second.headers.get('retry-after')]).toEqual([
      409,
      'idempotency_key_in_progress',
      '1',
    ]);
    expect((await first).status).toBe(201);
  });
});

describe('A rejected request', () => {
  it.each(['no_change', 'payment_failed', 'service_unavailable'] as const)(
    'releases its key after %s',
    async (code) => {
      const headers = fresh();
      probe.refuseNext(code);
      const refused = await api.post(PATH, BODY, headers);
      const [first] = probe.runs.slice(-1);
      const again = await api.post(PATH, { name: 'b' }, headers);

      expect(refused.body.code).toBe(code);
      expect(again.status).toBe(201);
      expect(probe.runs.at(-1)!.commandId).not.toBe(first!.commandId);
    },
  );

  it('releases its key after an invalid body', async () => {
    const headers = fresh();

    expect((await api.post(PATH, {}, headers)).status).toBe(422);
    expect((await api.post(PATH, BODY, headers)).status).toBe(201);
  });
});

describe('A request with an unknown outcome', () => {
  it('is resumed as the same command at the same time', async () => {
    const headers = fresh();
    probe.failNext();
    const lost = await api.post(PATH, BODY, headers);
    const conflicting = await api.post(PATH, { name: 'b' }, headers);
    const resumed = await api.post(PATH, BODY, headers);
    const [first, second] = probe.runs.slice(-2);

    expect([lost.status, lost.body.code, lost.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    expect(conflicting.body.code).toBe('idempotency_key_conflict');
    expect(resumed.status).toBe(201);
    expect([second!.commandId, second!.at]).toEqual([first!.commandId, first!.at]);
  });

  it('is also a request with an unexpected error', async () => {
    const headers = fresh();
    probe.next = () => Promise.reject(new Error('surprise'));
    const lost = await api.post(PATH, BODY, headers);
    await api.post(PATH, BODY, headers);
    const [first, second] = probe.runs.slice(-2);

    expect([lost.status, lost.body.code]).toEqual([500, 'internal_error']);
    expect(lost.text).not.toContain('surprise');
    expect(second!.commandId).toBe(first!.commandId);
  });
});

describe('An idempotency key', () => {
  it.each([
    ['255 emoji', '🦊'.repeat(255)],
    ['an é', 'é'],
    ['255 letters', 'x'.repeat(255)],
    ['one letter', 'x'],
  ])('may be %s', async (_, text) => {
    const first = await api.post(PATH, BODY, onWire(text));
    const again = await api.post(PATH, BODY, onWire(text));

    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
  });

  it.each([
    ['256 emoji', onWire('🦊'.repeat(256))],
    ['empty', onWire('')],
    ['not UTF-8', { 'idempotency-key': '\u00e9' }],
  ])('cannot be %s', async (_, headers) => {
    const reply = await api.post(PATH, BODY, headers);

    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_idempotency_key']);
  });

  const wire = (...lines: string[]) =>
    sendRaw(
      service.url,
      [
        `POST ${ROTATION} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${key}`,
        'Connection: close',
        ...lines,
        '',
        '',
      ].join('\r\n'),
    );

  it('cannot be sent twice', async () => {
    const reply = await wire('Idempotency-Key: a', 'Idempotency-Key: b');

    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([400, { code: 'invalid_idempotency_key' }]);
  });

  it('cannot contain a NUL', async () => {
    const reply = await wire('Idempotency-Key: a\u0000b');

    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([400, { code: 'bad_request' }]);
  });

  it('is required for a route that requires a key', async () => {
    const reply = await api.post(ROTATION);

    expect([reply.status, reply.body.code]).toEqual([400, 'idempotency_key_required']);
  });

  it('is ignored in the community, even when it is malformed', async () => {
    const runs = probe.runs.length;
    for (const headers of [{ 'idempotency-key': 'k' }, { 'idempotency-key': 'k' }, { 'idempotency-key': '' }])
      expect((await api.post('/v1/community/probes', BODY, headers)).status).toBe(201);

    expect(probe.runs).toHaveLength(runs + 3);
  });
});

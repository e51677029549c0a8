import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, type ApiResponse, type RequestHeaders, requireData } from '../../support/api.js';
import { hoursAgo, ReplayFixture } from '../replay-fixture.js';
import { newIdempotencyKey, WebhookFixture } from '../webhook-fixture.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  /** The use of an Idempotency-Key header; undefined when the operation ignores it. */
  readonly key?: 'required' | 'honoured';
}

/** Errors that are checked later than the error under test. */
const FAULTY_QUERY = '?nope=1';
const FAULTY_HEADERS = { 'x-service-business-id': 'nonsense', 'idempotency-key': '' };

const OPERATIONS: readonly Operation[] = readOperations('webhooks');
const WRITES = OPERATIONS.filter(({ method }) => method !== 'GET');
const KEYED = OPERATIONS.filter(({ key }) => key !== undefined);
const BODIED = OPERATIONS.filter(({ method }) => method === 'POST' || method === 'PATCH');
const WITH_ID = OPERATIONS.filter(({ path }) => path.includes('{'));

function readOperations(area: string): Operation[] {
  const areas = JSON.parse(readFileSync(join(import.meta.dirname, '../../operations.json'), 'utf8'));
  return Object.entries<{ idempotency_key?: Operation['key'] }>(areas[area]).map(([name, { idempotency_key: key }]) => {
    const [method, path] = name.split(' ') as [string, string];
    return { method, path, ...(key !== undefined && { key }) };
  });
}

let fixture: WebhookFixture;
let readOnly: Api;
let session: Api;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  readOnly = fixture.service.createApi(await fixture.service.createKey(fixture.business, { access: 'read_only' }));
  session = fixture.service.createApi(await fixture.service.signToken('owner'));
});
afterAll(() => fixture.close());

function ask(api: Api, { method, path }: Operation, headers: RequestHeaders, body?: unknown): Promise<ApiResponse> {
  return api.send(method, path.replace(/\{\w+\}/, 'none_1'), body, headers);
}

/** Sends the request with an invalid query and an invalid body. */
async function askWithErrors(api: Api, operation: Operation, headers: RequestHeaders): Promise<ApiResponse> {
  return ask(
    api,
    { ...operation, path: operation.path + FAULTY_QUERY },
    headers,
    BODIED.includes(operation) ? 5 : undefined,
  );
}

async function readProblem(reply: Promise<ApiResponse>): Promise<unknown[]> {
  const { status, body, headers } = await reply;
  const named = body.errors.map(({ param }: { readonly param?: string }) => param);
  return [headers.get('content-type'), status, body.code, ...named];
}

const expectedProblem = (status: number, code: string, ...params: readonly string[]) => [
  'application/problem+json',
  status,
  code,
  ...params,
];

describe('Every operation of webhooks', () => {
  it('is in the list of 25 operations', () => expect(OPERATIONS.length).toBe(25));
});

describe('The response to several errors', () => {
  it.each(OPERATIONS)(
    'reports a missing or invalid credential before all other errors: $method $path',
    async (operation) => {
      expect(await readProblem(askWithErrors(fixture.service.createApi(), operation, FAULTY_HEADERS))).toEqual(
        expectedProblem(401, 'authentication_required'),
      );
      expect(
        await readProblem(askWithErrors(fixture.service.createApi('sk_live_x'), operation, FAULTY_HEADERS)),
      ).toEqual(expectedProblem(401, 'invalid_credentials'));
    },
  );

  it.each(WRITES)('reports a read-only key after the credential: $method $path', async (operation) =>
    expect(await readProblem(askWithErrors(readOnly, operation, FAULTY_HEADERS))).toEqual(
      expectedProblem(403, 'read_only_key'),
    ),
  );

  it.each(OPERATIONS)(
    'reports a session without a business, or one that needs a key, after the credential: $method $path',
    async (operation) => {
      const code = operation.path.endsWith('/secret-rotations') ? 'secret_key_required' : 'business_access_denied';
      expect(await readProblem(askWithErrors(session, operation, { 'idempotency-key': '' }))).toEqual(
        expectedProblem(403, code),
      );
    },
  );

  it.each(OPERATIONS)('reports an invalid header after the access rights: $method $path', async (operation) =>
    expect(await readProblem(askWithErrors(fixture.api, operation, FAULTY_HEADERS))).toEqual(
      expectedProblem(400, 'invalid_parameter', 'X-Service-Business-Id'),
    ),
  );

  it.each(KEYED)(
    'reports an invalid or missing idempotency key after the headers: $method $path',
    async (operation) => {
      for (const key of ['', 'x'.repeat(256), '\xff'])
        expect(await readProblem(askWithErrors(fixture.api, operation, { 'idempotency-key': key }))).toEqual(
          expectedProblem(400, 'invalid_idempotency_key', 'Idempotency-Key'),
        );
      if (operation.key === 'required')
        expect(await readProblem(askWithErrors(fixture.api, operation, {}))).toEqual(
          expectedProblem(400, 'idempotency_key_required', 'Idempotency-Key'),
        );
    },
  );

  it.each(KEYED)(
    'reports the idempotency key of another request before the query: $method $path',
    async (operation) => {
      const headers = newIdempotencyKey();
      requireData(
        await fixture.api.post('/v1/webhooks/replay-jobs', { created_from: hoursAgo(1), dry_run: true }, headers),
      );
      expect(await readProblem(askWithErrors(fixture.api, operation, headers))).toEqual(
        expectedProblem(409, 'idempotency_key_conflict'),
      );
    },
  );

  it.each(OPERATIONS)('reports an invalid query after the idempotency key: $method $path', async (operation) =>
    expect(await readProblem(askWithErrors(fixture.api, operation, newIdempotencyKey()))).toEqual(
      expectedProblem(400, 'invalid_parameter', 'nope'),
    ),
  );

  it.each(BODIED)('reports an invalid media type or JSON body after the query: $method $path', async (operation) => {
    const text = { ...newIdempotencyKey(), 'content-type': 'text/plain' };
    expect(await readProblem(ask(fixture.api, operation, text, 5))).toEqual(
      expectedProblem(415, 'unsupported_media_type'),
    );
    expect(await readProblem(ask(fixture.api, operation, newIdempotencyKey(), '\ud800'))).toEqual(
      expectedProblem(400, 'invalid_json'),
    );
  });

  it.each(BODIED)('reports an unknown field after the syntax of the body: $method $path', async (operation) => {
    const known = {
      '/v1/webhooks/endpoints': { url: fixture.receiver.url('/') },
      '/v1/webhooks/replay-jobs': { created_from: hoursAgo(1) },
    };
    const body = { ...known[operation.path as keyof typeof known], nope: 1 };
    expect(await readProblem(ask(fixture.api, operation, newIdempotencyKey(), body))).toEqual(
      expectedProblem(422, 'unknown_parameter', 'nope'),
    );
  });

  it.each(WITH_ID)('reports an unknown id last: $method $path', async (operation) =>
    expect(
      await readProblem(
        ask(fixture.api, operation, newIdempotencyKey(), operation.method === 'PATCH' ? {} : undefined),
      ),
    ).toEqual(expectedProblem(404, 'not_found')),
  );
});

describe('A resource of another business or of the other mode', () => {
  let ids: Readonly<Record<string, string>>;
  let others: readonly Api[];
  beforeAll(async () => {
    const replayFixture = new ReplayFixture(fixture);
    const { endpointId: endpoints, records } = await replayFixture.createRefusedDeliveries('/mine', 1);
    const job = await replayFixture.waitForEnd(await replayFixture.createJob({ endpoint_id: endpoints }));
    ids = { endpoints, deliveries: records[0].id, events: records[0].event_id, 'replay-jobs': job.id };
    const otherBusiness = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    others = [
      otherBusiness.api,
      fixture.service.createApi(await fixture.service.createKey(fixture.business, { mode: 'test' })),
    ];
  });

  const owned = WITH_ID.filter(({ path }) => !path.includes('/event-types/'));

  it.each(owned)('is reported like an unknown one: $method $path', async (operation) => {
    const path = operation.path.replace(/\{\w+\}/, ids[operation.path.split('/')[3]!]!);
    const body = operation.method === 'PATCH' ? {} : undefined;
    for (const api of others) {
      const [foreign, nobodys] = [
        await ask(api, { ...operation, path }, newIdempotencyKey(), body),
        await ask(api, operation, newIdempotencyKey(), body),
      ];
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, request_id: null }).toEqual({ ...nobodys.body, request_id: null });
    }
  });

  afterAll(async () =>
    expect(requireData(await fixture.api.get(`/v1/webhooks/endpoints/${ids.endpoints}`)).status).toBe('enabled'),
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf, type Api, type Reply, type RequestHeaders } from '../../support/api.js';
import { Desk, freshKey } from '../desk.js';
import { hoursAgo, ReplayDesk } from '../replay-desk.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  /** The use of an Idempotency-Key header; undefined when the operation ignores it. */
  readonly key?: 'required' | 'honoured';
}

/** Errors that are checked later than the error under test. */
const FAULTY_QUERY = '?nope=1';
const FAULTY_HEADERS = { 'x-service-business-id': 'nonsense', 'idempotency-key': '' };

const OPERATIONS: readonly Operation[] = operationsOf('webhooks');
const WRITES = OPERATIONS.filter(({ method }) => method !== 'GET');
const KEYED = OPERATIONS.filter(({ key }) => key !== undefined);
const BODIED = OPERATIONS.filter(({ method }) => method === 'POST' || method === 'PATCH');
const OF_ONE = OPERATIONS.filter(({ path }) => path.includes('{'));

function operationsOf(area: string): Operation[] {
  const areas = JSON.parse(readFileSync(join(import.meta.dirname, '../../operations.json'), 'utf8'));
  return Object.entries<{ idempotency_key?: Operation['key'] }>(areas[area]).map(([name, { idempotency_key: key }]) => {
    const [method, path] = name.split(' ') as [string, string];
    return { method, path, ...(key !== undefined && { key }) };
  });
}

let desk: Desk;
let readOnly: Api;
let session: Api;
beforeAll(async () => {
  desk = await Desk.open();
  readOnly = desk.service.api(await desk.service.key(desk.business, { access: 'read_only' }));
  session = desk.service.api(await desk.service.token('owner'));
});
afterAll(() => desk.close());

function ask(api: Api, { method, path }: Operation, headers: RequestHeaders, body?: unknown): Promise<Reply> {
  return api.send(method, path.replace(/\{\w+\}/, 'none_1'), body, headers);
}

/** Sends the request with an invalid query and an invalid body. */
async function faulty(api: Api, operation: Operation, headers: RequestHeaders): Promise<Reply> {
  return ask(api, { ...operation, path: operation.path + FAULTY_QUERY }, headers, BODIED.includes(operation) ? 5 : undefined);
}

async function refusalIn(reply: Promise<Reply>): Promise<unknown[]> {
  const { status, body, headers } = await reply;
  const named = body.errors.map(({ param }: { readonly param?: string }) => param);
  return [headers.get('content-type'), status, body.code, ...named];
}

const refusal = (status: number, code: string, ...params: readonly string[]) => ['application/problem+json', status, code, ...params];

describe('Every operation of webhooks', () => {
  it('is in the list of 23 operations', () => expect(OPERATIONS.length).toBe(23));
});

describe('A request with several errors', () => {
  it.each(OPERATIONS)('first reports a missing or invalid credential: $method $path', async (operation) => {
    expect(await refusalIn(faulty(desk.service.api(), operation, FAULTY_HEADERS))).toEqual(refusal(401, 'authentication_required'));
    expect(await refusalIn(faulty(desk.service.api('sk_live_x'), operation, FAULTY_HEADERS))).toEqual(refusal(401, 'invalid_credentials'));
  });

  it.each(WRITES)('then reports a read-only key: $method $path', async (operation) =>
    expect(await refusalIn(faulty(readOnly, operation, FAULTY_HEADERS))).toEqual(refusal(403, 'read_only_key')),
  );

  it.each(OPERATIONS)('then reports a session without a business, or one that needs a key: $method $path', async (operation) => {
    const code = operation.path.endsWith('/secret-rotations') ? 'secret_key_required' : 'business_access_denied';
    expect(await refusalIn(faulty(session, operation, { 'idempotency-key': '' }))).toEqual(refusal(403, code));
  });

  it.each(OPERATIONS)('then reports an invalid header: $method $path', async (operation) =>
    expect(await refusalIn(faulty(desk.api, operation, FAULTY_HEADERS))).toEqual(
      refusal(400, 'invalid_parameter', 'X-Service-Business-Id'),
    ),
  );

  it.each(KEYED)('then reports an invalid or missing idempotency key: $method $path', async (operation) => {
    for (const key of ['', 'x'.repeat(256), '\xff'])
      expect(await refusalIn(faulty(desk.api, operation, { 'idempotency-key': key }))).toEqual(
        refusal(400, 'invalid_idempotency_key', 'Idempotency-Key'),
      );
    if (operation.key === 'required')
      expect(await refusalIn(faulty(desk.api, operation, {}))).toEqual(refusal(400, 'idempotency_key_required', 'Idempotency-Key'));
  });

  it.each(KEYED)('then reports the idempotency key of another request: $method $path', async (operation) => {
    const headers = freshKey();
    dataOf(await desk.api.post('/v1/webhooks/replay-jobs', { created_from: hoursAgo(1), dry_run: true }, headers));
    expect(await refusalIn(faulty(desk.api, operation, headers))).toEqual(refusal(409, 'idempotency_key_conflict'));
  });

  it.each(OPERATIONS)('then reports an invalid query: $method $path', async (operation) =>
    expect(await refusalIn(faulty(desk.api, operation, freshKey()))).toEqual(refusal(400, 'invalid_parameter', 'nope')),
  );

  it.each(BODIED)('then reports an invalid media type or JSON body: $method $path', async (operation) => {
    const text = { ...freshKey(), 'content-type': 'text/plain' };
    expect(await refusalIn(ask(desk.api, operation, text, 5))).toEqual(refusal(415, 'unsupported_media_type'));
    expect(await refusalIn(ask(desk.api, operation, freshKey(), '\ud800'))).toEqual(refusal(400, 'invalid_json'));
  });

  it.each(BODIED)('then reports an unknown field: $method $path', async (operation) => {
    const known = { '/v1/webhooks/endpoints': { url: desk.receiver.url('/') }, '/v1/webhooks/replay-jobs': { created_from: hoursAgo(1) } };
    const body = { ...known[operation.path as keyof typeof known], nope: 1 };
    expect(await refusalIn(ask(desk.api, operation, freshKey(), body))).toEqual(refusal(422, 'unknown_parameter', 'nope'));
  });

  it.each(OF_ONE)('finally reports an unknown id: $method $path', async (operation) =>
    expect(await refusalIn(ask(desk.api, operation, freshKey(), operation.method === 'PATCH' ? {} : undefined))).toEqual(
      refusal(404, 'not_found'),
    ),
  );
});

describe('A resource of another business or of the other mode', () => {
  let ids: Readonly<Record<string, string>>;
  let others: readonly Api[];
  beforeAll(async () => {
    const replayDesk = new ReplayDesk(desk);
    const { endpointId: endpoints, records } = await replayDesk.refused('/mine', 1);
    const job = await replayDesk.ended(await replayDesk.job({ endpoint_id: endpoints }));
    ids = { endpoints, deliveries: records[0].id, events: records[0].event_id, 'replay-jobs': job.id };
    const stranger = await Desk.in(desk.service, desk.receiver);
    others = [stranger.api, desk.service.api(await desk.service.key(desk.business, { mode: 'test' }))];
  });

  const owned = OF_ONE.filter(({ path }) => !path.includes('/event-types/'));

  it.each(owned)('is reported like an unknown one: $method $path', async (operation) => {
    const path = operation.path.replace(/\{\w+\}/, ids[operation.path.split('/')[3]!]!);
    const body = operation.method === 'PATCH' ? {} : undefined;
    for (const api of others) {
      const [theirs, nobodys] = [await ask(api, { ...operation, path }, freshKey(), body), await ask(api, operation, freshKey(), body)];
      expect(theirs.status).toBe(404);
      expect({ ...theirs.body, request_id: null }).toEqual({ ...nobodys.body, request_id: null });
    }
  });

  afterAll(async () => expect(dataOf(await desk.api.get(`/v1/webhooks/endpoints/${ids.endpoints}`)).status).toBe('enabled'));
});

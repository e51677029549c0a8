import { rmSync } from 'node:fs';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import type { Receiver } from '../../support/receiver.js';
import { redirect, respondWith } from '../../support/receiver-responses.js';
import { createTempFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { hoursAgo } from '../replay-fixture.js';
import { newIdempotencyKey, PUBLISHED_TYPE, waitFor } from '../webhook-fixture.js';
import { ConnectionTrap } from './connection-trap.js';
import { RebindingDns } from './rebinding-dns.js';

const ALLOWED = '127.0.0.1';
const FORBIDDEN = '127.0.0.2';
const CHANGING = [[ALLOWED], [FORBIDDEN]];

const ANSWERS = {
  'retry.example.com': CHANGING,
  'later.example.com': CHANGING,
  'test.example.com': CHANGING,
  'replay.example.com': CHANGING,
  'job.example.com': CHANGING,
  'returning.example.com': [[FORBIDDEN], [ALLOWED]],
  'one-of-two.example.com': [[ALLOWED, FORBIDDEN]],
  'first-of-two.example.com': [[FORBIDDEN, ALLOWED]],
  'of-both-kinds.example.com': [[ALLOWED, '::1']],
  'mapped.example.com': [[`::ffff:${FORBIDDEN}`]],
  'alias.example.com': 'inner.example.net',
  'inner.example.net': [[FORBIDDEN]],
  'none.example.com': [[]],
};

/** Closes the connection, so that every attempt opens a new one. */
const closing = (code: number) => respondWith(code, { connection: 'close' });

let folder: string;
let receiver: Receiver;
let trap: ConnectionTrap;
let rebinding: RebindingDns;
let service: ServiceProcess;
let api: Api;
beforeAll(async () => {
  folder = await createTempFolder();
  [receiver, trap] = await ConnectionTrap.startAround();
  rebinding = await RebindingDns.start(folder, ANSWERS);
  const proxy = `http://${FORBIDDEN}:${trap.port}`;
  const proxies = {
    HTTP_PROXY: proxy,
    http_proxy: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NODE_USE_ENV_PROXY: '1',
  };
  const allowed = { WEBHOOK_ALLOW_CIDRS: `${ALLOWED}/32`, WEBHOOK_RETRY_SCHEDULE: '1' };
  service = await ServiceProcess.start(folder, { ...rebinding.environment, ...proxies, ...allowed });
  api = service.createApi(service.firstKey);
});
afterAll(async () => {
  await receiver.stop();
  await trap.close();
  await service.stop();
  await rebinding.stop();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const { id } of (await api.get('/v1/webhooks/endpoints')).body.data)
    await api.delete(`/v1/webhooks/endpoints/${id}`);
  expect(trap.connections).toEqual([]);
  expect(new Set(rebinding.dialled)).toEqual(new Set([ALLOWED]));
});

async function createEndpoint(host: string, path = `/${host}`): Promise<string> {
  const url = `http://${host}:${trap.port}${path}`;
  return requireData(await api.post('/v1/webhooks/endpoints', { url, event_types: [PUBLISHED_TYPE] })).id;
}

async function publish(): Promise<void> {
  requireData(await api.post('/v1/commerce/products', { name: 'A course' }));
}

/** Waits until the endpoint has `count` records. Returns them, oldest first. */
function waitForRecords(endpointId: string, count: number): Promise<ApiResponse['body'][]> {
  return waitFor(async () => {
    const found: ApiResponse['body'][] = (await api.get(`/v1/webhooks/deliveries?endpoint_id=${endpointId}`)).body.data;
    return found.length >= count ? found.reverse() : null;
  });
}

async function sendTest(endpointId: string): Promise<ApiResponse['body']> {
  return requireData(
    await api.post(`/v1/webhooks/endpoints/${endpointId}/test-events`, undefined, newIdempotencyKey()),
  );
}

const answered = (code: number) => expect.objectContaining({ response_status: code }) as unknown;
const NEVER_SENT = expect.objectContaining({ response_status: null, duration_ms: null }) as unknown;
const NO_TEST_SENT = { status: 'failed', response_status: 0, duration_ms: 0 };

describe('A name that resolves first to a public and then to a forbidden address', () => {
  it('is not called again by a retry', async () => {
    receiver.setResponses('/retry.example.com', closing(500));
    const id = await createEndpoint('retry.example.com');
    await publish();
    expect(await waitForRecords(id, 2)).toEqual([answered(500), NEVER_SENT]);
  });

  it('is not called again by a later event', async () => {
    receiver.setResponses('/later.example.com', closing(200));
    const id = await createEndpoint('later.example.com');
    await publish();
    await waitForRecords(id, 1);
    await publish();
    expect((await waitForRecords(id, 2)).slice(0, 2)).toEqual([answered(200), NEVER_SENT]);
  });

  it('is not called again by a test event', async () => {
    receiver.setResponses('/test.example.com', closing(200));
    const id = await createEndpoint('test.example.com');
    expect(await sendTest(id)).toMatchObject({ status: 'success' });
    expect(await sendTest(id)).toMatchObject(NO_TEST_SENT);
  });

  it('is not called again by a replay', async () => {
    receiver.setResponses('/replay.example.com', closing(200));
    const id = await createEndpoint('replay.example.com');
    await publish();
    const [record] = await waitForRecords(id, 1);
    const replayed = requireData(
      await api.post(`/v1/webhooks/deliveries/${record.id}/replay`, undefined, newIdempotencyKey()),
    );
    expect([record, replayed]).toEqual([answered(200), NEVER_SENT]);
  });

  it('is not called again by a replay job', async () => {
    receiver.setResponses('/job.example.com', closing(400));
    const id = await createEndpoint('job.example.com');
    await publish();
    await waitForRecords(id, 1);
    requireData(await api.post('/v1/webhooks/replay-jobs', { created_from: hoursAgo(2), endpoint_id: id }));
    expect((await waitForRecords(id, 2)).slice(0, 2)).toEqual([answered(400), NEVER_SENT]);
  });

  it('is called when a later check finds a public address', async () => {
    const id = await createEndpoint('returning.example.com');
    expect(await sendTest(id)).toMatchObject(NO_TEST_SENT);
    expect(await sendTest(id)).toMatchObject({ status: 'success' });
  });
});

describe('A name', () => {
  it.each([
    ['when one of its addresses is forbidden', 'one-of-two.example.com'],
    ['when its first address is forbidden', 'first-of-two.example.com'],
    ['when one of its addresses, of the other IP version, is forbidden', 'of-both-kinds.example.com'],
    ['when its address is a mapped forbidden address', 'mapped.example.com'],
    ['when it is an alias of a name with a forbidden address', 'alias.example.com'],
    ['when it has no address', 'none.example.com'],
  ])('is not called %s', async (_, host) =>
    expect(await sendTest(await createEndpoint(host))).toMatchObject(NO_TEST_SENT),
  );
});

describe('A response that names another address', () => {
  it.each([301, 302, 303, 307, 308])('is not followed with status %d', async (code) => {
    receiver.setResponses(`/${code}`, redirect(`http://${FORBIDDEN}:${trap.port}/`, code));
    expect(await sendTest(await createEndpoint(ALLOWED, `/${code}`))).toMatchObject({
      status: 'failed',
      response_status: code,
    });
  });

  it.each([
    ['Location and status 201', 201, { location: '/' }],
    ['Refresh', 200, { refresh: '0; url=/' }],
    ['Alt-Svc', 200, { 'alt-svc': `h2="${FORBIDDEN}:443", http/1.1="${FORBIDDEN}:80"` }],
    ['Link', 200, { link: `<http://${FORBIDDEN}/>; rel=preconnect` }],
  ])('is not followed with the header %s', async (name, code, headers) => {
    receiver.setResponses(`/${name}`, respondWith(code, headers));
    expect(await sendTest(await createEndpoint(ALLOWED, `/${encodeURIComponent(name)}`))).toMatchObject({
      status: 'success',
    });
  });
});

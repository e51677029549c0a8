import { rmSync } from 'node:fs';
import { type ApiResponse, requireData } from '../../support/api.js';
import { DnsServer } from '../../support/dns-server.js';
import { Receiver } from '../../support/receiver.js';
import { hang, type ReceiverResponse, redirect, reset, respondWith } from '../../support/receiver-responses.js';
import { createTempFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { newIdempotencyKey, PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

const SUBSCRIBED = { event_types: ['offer.sent'] };
/** An interim response that is larger than the limit of all headers. */
const largeHeaders: ReceiverResponse = (_, { socket }) =>
  socket!.write(`HTTP/1.1 103 Early Hints\r\nX-Large: ${'x'.repeat(300_000)}\r\n\r\n`);
/** An answer of HTTP/0.9: the body alone, until the connection ends. */
const answerWithoutHttp: ReceiverResponse = (_, { socket }) => socket!.end('<p>Thanks!');

describe('A failed delivery', () => {
  let names: DnsServer;
  let fixture: WebhookFixture;
  beforeAll(async () => {
    names = await DnsServer.start({ 'private.example.com': [['10.0.0.1']] });
    fixture = await WebhookFixture.start({
      WEBHOOK_TIMEOUT_MS: '2000',
      WEBHOOK_DNS_SERVERS: names.address,
      WEBHOOK_RETRY_SCHEDULE: '3600',
    });
  });
  afterAll(async () => {
    await fixture.close();
    await names.stop();
  });

  async function sendTest(
    body: object,
  ): Promise<{ readonly result: ApiResponse['body']; readonly record: ApiResponse['body'] }> {
    const { id } = await fixture.createEndpoint('/unused', { ...SUBSCRIBED, ...body });
    const result = requireData(await fixture.sendTestEvent(id));
    await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);
    return { result, record: requireData(await fixture.api.get(`/v1/webhooks/deliveries/${result.delivery_id}`)) };
  }

  it.each([
    ['client_error', respondWith(404), 'The receiver answered with status 404.'],
    ['server_error', respondWith(503), 'The receiver answered with status 503.'],
    ['redirect', redirect('/elsewhere'), 'The receiver answered with status 302. Redirects are not followed.'],
    ['timeout', hang(), 'The receiver did not answer in time.'],
    ['connection_reset', reset(), expect.stringContaining('before it answered')],
    ['invalid_response', answerWithoutHttp, 'The response is not valid HTTP.'],
    ['response_too_large', largeHeaders, expect.stringContaining('headers')],
  ])('has the reason %s in its record and in the result of a test', async (reason, answer, detail) => {
    fixture.receiver.setResponses(`/${reason}`, answer);
    const { result, record } = await sendTest({ url: fixture.receiver.url(`/${reason}`) });
    expect(result.failure).toEqual({ reason, detail });
    expect(record.failure).toEqual(result.failure);
  });

  it.each([
    ['connection_refused', 'http://127.0.0.1:1/', expect.stringContaining('ECONNREFUSED')],
    ['dns_failure', 'http://missing.example.com/', 'The host name could not be resolved (ENOTFOUND).'],
    ['blocked_address', 'http://private.example.com/', expect.stringContaining('not public (10.0.0.1)')],
    ['tls_failure', null, expect.stringContaining('TLS')],
  ])('has the reason %s, also in the problem for its missing response', async (reason, url, detail) => {
    const { record } = await sendTest({ url: url ?? fixture.receiver.url('/').replace('http:', 'https:') });
    expect(record).toMatchObject({ failure: { reason, detail }, response_status: null, duration_ms: null });
    const response = await fixture.api.get(`/v1/webhooks/deliveries/${record.id}/response`);
    expect([response.status, response.body.detail]).toEqual([
      404,
      `No response was received: ${reason}. ${record.failure.detail}`,
    ]);
  });

  it('has no failure reason after a success', async () =>
    expect((await sendTest({ url: fixture.receiver.url('/fine') })).record.failure).toBeNull());

  it('keeps its reason in the list and in the attempts after it was abandoned', async () => {
    fixture.receiver.setResponses('/given-up', respondWith(500));
    const { id } = await fixture.createEndpoint('/given-up', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    await fixture.editEndpoint(id, { status: 'disabled' });
    const [record] = await fixture.waitForRecords(`endpoint_id=${id}`, (all) =>
      all.every((one) => one.status === 'abandoned'),
    );
    expect(record.failure).toMatchObject({ reason: 'server_error' });
    const { attempts } = requireData(await fixture.api.get(`/v1/webhooks/deliveries/${record.id}/attempts`));
    expect(attempts).toMatchObject([{ failure: record.failure }]);
  });
});

it('The service logs one line for each failed attempt', async () => {
  const folder = await createTempFolder();
  const receiver = await Receiver.start();
  receiver.setResponses('/refusing', respondWith(410));
  const service = await ServiceProcess.start(folder, { LOG_LEVEL: 'info' });
  const api = service.createApi(service.firstKey);
  const { id } = requireData(
    await api.post('/v1/webhooks/endpoints', { url: receiver.url('/refusing'), ...SUBSCRIBED }),
  );
  const { delivery_id } = requireData(
    await api.post(`/v1/webhooks/endpoints/${id}/test-events`, undefined, newIdempotencyKey()),
  );

  const lines = await waitFor(() => {
    const found = service.output.split('\n').filter((line) => line.includes('attempt_failed'));
    return Promise.resolve(found.length > 0 ? found : null);
  });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      msg: 'attempt_failed',
      deliveryId: delivery_id,
      endpointId: id,
      reason: 'client_error',
      responseStatus: 410,
    }),
  ]);
  await service.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

import { rmSync } from 'node:fs';
import { hang, redirect, reset, status, type Answer } from '../../support/answers.js';
import { DnsServer } from '../../support/dns-server.js';
import { dataOf, type Reply } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { freshFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { Desk, eventually, freshKey, OCCURRENCE } from '../desk.js';

const SUBSCRIBED = { event_types: ['offer.sent'] };
/** Larger than the header limit of any HTTP parser. */
const largeHeaders: Answer = (_, response) => response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end();

describe('A failed delivery', () => {
  let names: DnsServer;
  let desk: Desk;
  beforeAll(async () => {
    names = await DnsServer.start({ 'private.example.com': [['10.0.0.1']] });
    desk = await Desk.open({ WEBHOOK_TIMEOUT_MS: '500', WEBHOOK_DNS_SERVERS: names.address, WEBHOOK_RETRY_SCHEDULE: '3600' });
  });
  afterAll(async () => {
    await desk.close();
    await names.stop();
  });

  async function tested(body: object): Promise<{ readonly result: Reply['body']; readonly record: Reply['body'] }> {
    const { id } = await desk.endpoint('/unused', { ...SUBSCRIBED, ...body });
    const result = dataOf(await desk.test(id));
    await desk.api.delete(`/v1/webhooks/endpoints/${id}`);
    return { result, record: dataOf(await desk.api.get(`/v1/webhooks/deliveries/${result.delivery_id}`)) };
  }

  it.each([
    ['client_error', status(404), 'The receiver answered with status 404.'],
    ['server_error', status(503), 'The receiver answered with status 503.'],
    ['redirect', redirect('/elsewhere'), 'The receiver answered with status 302. Redirects are not followed.'],
    ['timeout', hang(), 'The receiver did not answer in time.'],
    ['connection_reset', reset(), expect.stringContaining('before it answered')],
    ['response_too_large', largeHeaders, expect.stringContaining('headers')],
  ])('has the reason %s in its record and in the result of a test', async (reason, answer, detail) => {
    desk.receiver.answers(`/${reason}`, answer);
    const { result, record } = await tested({ url: desk.receiver.url(`/${reason}`) });
    expect(result.failure).toEqual({ reason, detail });
    expect(record.failure).toEqual(result.failure);
  });

  it.each([
    ['connection_refused', 'http://127.0.0.1:1/', expect.stringContaining('ECONNREFUSED')],
    ['dns_failure', 'http://missing.example.com/', 'The host name could not be resolved (ENOTFOUND).'],
    ['blocked_address', 'http://private.example.com/', 'The host name resolves to an address that is not public.'],
    ['tls_failure', null, expect.stringContaining('TLS')],
  ])('has the reason %s, also in the problem for its missing response', async (reason, url, detail) => {
    const { record } = await tested({ url: url ?? desk.receiver.url('/').replace('http:', 'https:') });
    expect(record).toMatchObject({ failure: { reason, detail }, response_status: null, duration_ms: null });
    const response = await desk.api.get(`/v1/webhooks/deliveries/${record.id}/response`);
    expect([response.status, response.body.detail]).toEqual([404, `No response was received: ${reason}. ${record.failure.detail}`]);
  });

  it('has no failure reason after a success', async () =>
    expect((await tested({ url: desk.receiver.url('/fine') })).record.failure).toBeNull());

  it('keeps its reason in the list and in the attempts after it was abandoned', async () => {
    desk.receiver.answers('/given-up', status(500));
    const { id } = await desk.endpoint('/given-up', { event_types: [OCCURRENCE] });
    await desk.occur();
    await desk.records(`endpoint_id=${id}`, ({ length }) => length === 1);
    await desk.edit(id, { status: 'disabled' });
    const [record] = await desk.records(`endpoint_id=${id}`, (all) => all.every((one) => one.status === 'abandoned'));
    expect(record.failure).toMatchObject({ reason: 'server_error' });
    const { attempts } = dataOf(await desk.api.get(`/v1/webhooks/deliveries/${record.id}/attempts`));
    expect(attempts).toMatchObject([{ failure: record.failure }]);
  });
});

it('The service logs one line for each failed attempt', async () => {
  const folder = await freshFolder();
  const receiver = await Receiver.start();
  receiver.answers('/refusing', status(410));
  const service = await ServiceProcess.start(folder, { LOG_LEVEL: 'info' });
  const api = service.api(service.firstKey);
  const { id } = dataOf(await api.post('/v1/webhooks/endpoints', { url: receiver.url('/refusing'), ...SUBSCRIBED }));
  const { delivery_id } = dataOf(await api.post(`/v1/webhooks/endpoints/${id}/test-events`, undefined, freshKey()));

  const lines = await eventually(() => {
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

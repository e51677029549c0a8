import { DnsServer } from '../../support/dns-server.js';
import { PUBLISHED_TYPE, WebhookFixture } from '../webhook-fixture.js';

const ENDPOINTS = 20;
const EVENTS = 10;
const createNames = (count: number) => Array.from({ length: count }, (_, i) => `a${i}.silent.example.com`);

describe('An endpoint whose name server never answers', () => {
  let names: DnsServer;
  let first: WebhookFixture;
  let second: WebhookFixture;
  beforeAll(async () => {
    names = await DnsServer.start({
      ...Object.fromEntries(createNames(ENDPOINTS).map((name) => [name, null])),
      'healthy.example.com': [['127.0.0.1']],
    });
    first = await WebhookFixture.start({ WEBHOOK_DNS_SERVERS: names.address });
    second = await WebhookFixture.addBusiness(first.service, first.receiver);
  });
  afterAll(async () => {
    await first.close();
    await names.stop();
  });

  it('delays no delivery of another business, whose endpoint also has a name', async () => {
    for (const name of createNames(ENDPOINTS)) await first.createEndpoint('', { url: `http://${name}/hook` });
    const { port } = new URL(first.receiver.url());
    const healthy = await second.createEndpoint('', {
      url: `http://healthy.example.com:${port}/healthy`,
      event_types: [PUBLISHED_TYPE],
    });
    await first.publish();
    await first.publish();

    for (let i = 1; i <= EVENTS; i++) {
      await second.publish();
      await first.receiver.waitForRequests('/healthy', i);
    }
    const records = await second.waitForRecords(`endpoint_id=${healthy.id}`, ({ length }) => length >= EVENTS);
    expect(records.map(({ attempt, status }) => [attempt, status])).toEqual(
      Array.from({ length: EVENTS }, () => [1, 'success']),
    );
  });

  it('fails with a DNS failure before anything is sent', async () => {
    const records = await first.waitForRecords('limit=100', ({ length }) => length >= 2 * ENDPOINTS);
    expect(records.every(({ response_status, duration_ms }) => response_status === null && duration_ms === null)).toBe(
      true,
    );
  });
});

import { DnsServer } from '../../support/dns-server.js';
import { Desk, OCCURRENCE } from '../desk.js';

const ENDPOINTS = 20;
const EVENTS = 10;
const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `a${i}.silent.example.com`);

describe('An endpoint whose name server never answers', () => {
  let names: DnsServer;
  let first: Desk;
  let second: Desk;
  beforeAll(async () => {
    names = await DnsServer.start({
      ...Object.fromEntries(namesOf(ENDPOINTS).map((name) => [name, null])),
      'healthy.example.com': [['127.0.0.1']],
    });
    first = await Desk.open({ WEBHOOK_DNS_SERVERS: names.address });
    second = await Desk.in(first.service, first.receiver);
  });
  afterAll(async () => {
    await first.close();
    await names.stop();
  });

  it('delays no delivery of another business, whose endpoint also has a name', async () => {
    for (const name of namesOf(ENDPOINTS)) await first.endpoint('', { url: `http://${name}/hook` });
    const { port } = new URL(first.receiver.url());
    const healthy = await second.endpoint('', { url: `http://healthy.example.com:${port}/healthy`, event_types: [OCCURRENCE] });
    await first.occur();
    await first.occur();

    for (let i = 1; i <= EVENTS; i++) {
      await second.occur();
      await first.receiver.received('/healthy', i);
    }
    const records = await second.records(`endpoint_id=${healthy.id}`, ({ length }) => length >= EVENTS);
    expect(records.map(({ attempt, status }) => [attempt, status])).toEqual(Array.from({ length: EVENTS }, () => [1, 'success']));
  });

  it('fails with a DNS failure before anything is sent', async () => {
    const records = await first.records('limit=100', ({ length }) => length >= 2 * ENDPOINTS);
    expect(records.every(({ response_status, duration_ms }) => response_status === null && duration_ms === null)).toBe(true);
  });
});

import { dataOf, type Reply } from '../../support/api.js';
import { Desk, refusalOf } from '../desk.js';
import { FORBIDDEN_ADDRESSES, FORBIDDEN_HOSTS, PUBLIC_HOSTS } from './forbidden-hosts.js';

const REFUSED = { status: 422, code: 'url_not_allowed', params: ['url'] };

let desk: Desk;
let endpoint: Reply['body'];
beforeAll(async () => {
  desk = await Desk.open({ WEBHOOK_ALLOW_CIDRS: '', WEBHOOK_ENDPOINT_LIMIT: '100' });
  endpoint = dataOf(await create('receiver.example.com'));
});
afterAll(() => desk.close());

function create(host: string): Promise<Reply> {
  return desk.api.post('/v1/webhooks/endpoints', { url: `https://${host}/hook`, status: 'disabled' });
}

describe('The table of forbidden hosts', () => {
  it('is long, and names each once', () => {
    const hosts = FORBIDDEN_HOSTS.map(({ host }) => host);
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts.length).toBeGreaterThan(350);
    expect(FORBIDDEN_ADDRESSES.length).toBeGreaterThan(150);
  });
});

describe('No endpoint is made at', () => {
  it.each(FORBIDDEN_HOSTS)('$why: $host', async ({ host }) => expect(refusalOf(await create(host))).toEqual(REFUSED));
});

describe('No endpoint is moved to', () => {
  it.each(FORBIDDEN_HOSTS)('$why: $host', async ({ host }) =>
    expect(refusalOf(await desk.edit(endpoint.id, { url: `https://${host}/hook` }))).toEqual(REFUSED),
  );

  afterAll(async () => expect(dataOf(await desk.api.get(`/v1/webhooks/endpoints/${endpoint.id}`)).url).toBe(endpoint.url));
});

describe('An endpoint may be at', () => {
  it.each(PUBLIC_HOSTS)('%s', async (host) => expect((await create(host)).status).toBe(201));
});

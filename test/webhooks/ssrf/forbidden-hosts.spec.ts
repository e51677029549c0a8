import { type ApiResponse, requireData } from '../../support/api.js';
import { toProblem, WebhookFixture } from '../webhook-fixture.js';
import { FORBIDDEN_ADDRESSES, FORBIDDEN_HOSTS, PUBLIC_HOSTS } from './forbidden-hosts.js';

const REFUSED = { status: 422, code: 'url_not_allowed', params: ['url'] };

let fixture: WebhookFixture;
let endpoint: ApiResponse['body'];
beforeAll(async () => {
  fixture = await WebhookFixture.start({ WEBHOOK_ALLOW_CIDRS: '', WEBHOOK_ENDPOINT_LIMIT: '100' });
  endpoint = requireData(await create('receiver.example.com'));
});
afterAll(() => fixture.close());

function create(host: string): Promise<ApiResponse> {
  return fixture.api.post('/v1/webhooks/endpoints', { url: `https://${host}/hook`, status: 'disabled' });
}

describe('The table of forbidden hosts', () => {
  it('has many hosts and no duplicates', () => {
    const hosts = FORBIDDEN_HOSTS.map(({ host }) => host);
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts.length).toBeGreaterThan(350);
    expect(FORBIDDEN_ADDRESSES.length).toBeGreaterThan(150);
  });
});

describe('The creation of an endpoint', () => {
  it.each(FORBIDDEN_HOSTS)('refuses $why: $host', async ({ host }) =>
    expect(toProblem(await create(host))).toEqual(REFUSED),
  );
});

describe('The edit of an endpoint', () => {
  it.each(FORBIDDEN_HOSTS)('refuses $why: $host', async ({ host }) =>
    expect(toProblem(await fixture.editEndpoint(endpoint.id, { url: `https://${host}/hook` }))).toEqual(REFUSED),
  );

  afterAll(async () =>
    expect(requireData(await fixture.api.get(`/v1/webhooks/endpoints/${endpoint.id}`)).url).toBe(endpoint.url),
  );
});

describe('The creation of an endpoint at a public host', () => {
  it.each(PUBLIC_HOSTS)('accepts %s', async (host) => expect((await create(host)).status).toBe(201));
});

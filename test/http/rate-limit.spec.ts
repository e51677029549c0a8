import { addressOf } from '../../src/http/rate-limit.js';
import type { Reply } from '../support/api.js';
import { startService, type Service, type TestBusiness } from '../support/service.js';

/** None comes back while a test looks. */
const RATE = { RATE_LIMIT: '1', RATE_LIMIT_BURST: '40' };
const ASKED = 60;

let service: Service;
let business: TestBusiness;
beforeAll(async () => {
  service = await startService(RATE);
  business = await service.business();
});
afterAll(() => service.stop());

function ask(credential: string | null, path = '/v1/auth/me'): Promise<Reply[]> {
  return Promise.all(Array.from({ length: ASKED }, () => service.api(credential).get(path)));
}

const refusedIn = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 429);

describe('The rate limit', () => {
  it('refuses a credential that asks too often, and says when to come again', async () => {
    const refused = refusedIn(await ask(await service.key(business)));

    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(20);
    for (const { headers, body } of refused) {
      expect([body.code, headers.get('content-type')]).toEqual(['rate_limited', 'application/problem+json']);
      expect([headers.get('retry-after'), headers.get('ratelimit-remaining')]).toEqual(['1', '0']);
    }
  });

  it('tells each answer what is left', async () => {
    const { status, headers } = await service.api(await service.key(business)).get('/v1/auth/me');
    const told = ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`));

    expect([status, ...told]).toEqual([200, '40', '39', '1', '1;w=1;burst=40']);
  });

  it('counts each credential for itself', async () => {
    await ask(await service.key(business));

    expect((await service.api(await service.key(business)).get('/v1/auth/me')).status).toBe(200);
  });

  it('counts a user once, whatever tokens are used', async () => {
    const tokens = await Promise.all([60, 600].map((expiresInSeconds) => service.token('ann', { expiresInSeconds })));
    await ask(tokens[0]!);

    expect(refusedIn(await ask(tokens[1]!)).length).toBeGreaterThan(20);
  });

  it('counts whoever shows no credential that holds by address, and comes before what the credential may do', async () => {
    const forged = await ask('sk_live_nobody');
    const page = await service.api().get('/problems/not_found');

    expect(new Set(forged.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(page.status).toBe(429);
    expect((await service.api(await service.key(business)).get('/v1/auth/me')).status).toBe(200);
  });

  it('is off at 0', async () => {
    const unlimited = await startService({ RATE_LIMIT: '0', RATE_LIMIT_BURST: '0' });
    const replies = await Promise.all(Array.from({ length: ASKED }, () => unlimited.api().get('/problems/not_found')));
    await unlimited.stop();

    expect(replies.every(({ status, headers }) => status === 200 && !headers.has('ratelimit-limit'))).toBe(true);
  });
});

describe('An address', () => {
  it('is the same in both notations of IPv4', () => expect(addressOf('::ffff:203.0.113.7')).toBe(addressOf('203.0.113.7')));

  it('is a network of 64 bits in IPv6', () => {
    expect(addressOf('2001:db8:0:1::1')).toBe(addressOf('2001:db8:0:1:ffff::2'));
    expect(addressOf('2001:db8:0:1::1')).not.toBe(addressOf('2001:db8:0:2::1'));
  });
});

import { once } from 'node:events';
import type { FastifyRequest } from 'fastify';
import { toAddressKey } from '../../../src/http/server/rate-limit.js';
import type { ApiResponse } from '../../support/api.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { openSocket, readReply, sendRaw } from '../support/raw-http.js';

/** A rate so slow that no token returns during a test. */
const RATE = { RATE_LIMIT: '1', RATE_LIMIT_BURST: '40' };
const REQUESTS = 60;

let service: Service;
let business: TestBusiness;
beforeAll(async () => {
  service = await startService(RATE);
  business = await service.createBusiness();
});
afterAll(() => service.stop());

function sendMany(credential: string | null, path = '/v1/auth/me'): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: REQUESTS }, () => service.createApi(credential).get(path)));
}

const countRejected = (replies: readonly ApiResponse[]) => replies.filter(({ status }) => status === 429);

describe('The rate limit', () => {
  it('rejects a credential that sends too many requests, with a Retry-After', async () => {
    const refused = countRejected(await sendMany(await service.createKey(business)));

    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(20);
    for (const { headers, body } of refused) {
      expect([body.code, headers.get('content-type')]).toEqual(['rate_limited', 'application/problem+json']);
      expect([headers.get('retry-after'), headers.get('ratelimit-remaining')]).toEqual(['1', '0']);
    }
  });

  it('sends the remaining requests with each response', async () => {
    const { status, headers } = await service.createApi(await service.createKey(business)).get('/v1/auth/me');
    const limits = ['limit', 'remaining', 'reset', 'policy'].map((name) => headers.get(`ratelimit-${name}`));

    expect([status, ...limits]).toEqual([200, '40', '39', '1', '1;w=1;burst=40']);
  });

  it('counts each credential separately', async () => {
    await sendMany(await service.createKey(business));

    expect((await service.createApi(await service.createKey(business)).get('/v1/auth/me')).status).toBe(200);
  });

  it('counts all session tokens of a user together', async () => {
    const tokens = await Promise.all(
      [60, 600].map((expiresInSeconds) => service.signToken('ann', { expiresInSeconds })),
    );
    await sendMany(tokens[0]!);

    expect(countRejected(await sendMany(tokens[1]!)).length).toBeGreaterThan(20);
  });

  it('counts a request without a valid credential by address, before authorization', async () => {
    const key = service.createApi(await service.createKey(business));
    await key.get('/v1/auth/me');
    const forged = await sendMany('sk_live_nobody');
    const page = await service.createApi().get('/problems/not_found');

    expect(new Set(forged.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(page.status).toBe(429);
    expect((await key.get('/v1/auth/me')).status).toBe(200);
  });

  it('is disabled at 0', async () => {
    const unlimited = await startService({ RATE_LIMIT: '0', RATE_LIMIT_BURST: '0' });
    const replies = await Promise.all(
      Array.from({ length: REQUESTS }, () => unlimited.createApi().get('/problems/not_found')),
    );
    await unlimited.stop();

    expect(replies.every(({ status, headers }) => status === 200 && !headers.has('ratelimit-limit'))).toBe(true);
  });
});

describe('An address that has sent too many requests without a valid credential', () => {
  let limited: Service;
  let good: string;
  let unused: string;
  beforeAll(async () => {
    limited = await startService(RATE);
    const createSession = await limited.createBusiness();
    [good, unused] = [await limited.createKey(createSession), await limited.createKey(createSession)];
    await limited.createApi(good).get('/v1/auth/me');
    await Promise.all(Array.from({ length: REQUESTS }, () => limited.createApi('sk_live_nobody').get('/v1/auth/me')));
  });
  afterAll(() => limited.stop());

  it.each([
    ['a credential that has not been seen', '/v1/auth/me', () => unused, 429],
    ['a credential that was valid a moment ago', '/v1/auth/me', () => good, 200],
    ['no credential', '/v1/auth/me', () => null, 429],
    ['an unknown path', '/v1/nothing', () => good, 429],
    ['another method', '/v1/webhooks/stats', () => good, 429],
  ])('with %s gets for %s %s %s', async (_, path, credential, status) => {
    expect((await limited.createApi(credential()).get(path)).status).toBe(status);
  });
});

describe('A request without a credential', () => {
  it('is rejected before its body is read', async () => {
    const head = 'POST /v1/businesses HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n';

    expect([401, 429]).toContain((await sendRaw(service.url, head)).status);
  });
});

describe('Requests through a proxy', () => {
  const statuses = async (asked: Service, from: string) => {
    const replies = await Promise.all(
      Array.from({ length: REQUESTS }, () => asked.createApi().get('/problems/not_found', { 'x-forwarded-for': from })),
    );
    return new Set(replies.map(({ status }) => status));
  };

  it('are counted by the address that a trusted proxy forwards', async () => {
    const trusting = await startService({ ...RATE, TRUSTED_PROXIES: '127.0.0.0/8' });
    const of = [
      await statuses(trusting, '203.0.113.1'),
      await statuses(trusting, '203.0.113.2'),
      await statuses(trusting, 'nonsense'),
    ];
    await trusting.stop();

    expect(of).toEqual(Array(3).fill(new Set([200, 429])));
  });

  it('are counted by the proxy if it is not trusted', async () => {
    const wary = await startService(RATE);
    await statuses(wary, '203.0.113.1');
    const of = await statuses(wary, '203.0.113.2');
    await wary.stop();

    expect(of.has(429)).toBe(true);
    expect([...of].length).toBeLessThanOrEqual(2);
  });
});

describe('The limit of connections', () => {
  it('closes connections above the limit', async () => {
    const small = await startService({ CONNECTION_LIMIT: '2', CONNECTION_LIMIT_PER_ADDRESS: '2' });
    const held = [openSocket(small.url), openSocket(small.url)];
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const beyond = await readReply(openSocket(small.url)).catch(() => ({ status: 0 }));
    for (const socket of held) socket.destroy();
    await small.stop();

    expect(beyond.status).toBe(0);
  });
});

const toKey = (ip: string) => toAddressKey({ ip } as FastifyRequest);

describe('The key of an address', () => {
  it('is the same in both notations of IPv4', () => expect(toKey('::ffff:203.0.113.7')).toBe(toKey('203.0.113.7')));

  it('is the network of 64 bits for IPv6', () => {
    expect(toKey('2001:db8:0:1::1')).toBe(toKey('2001:db8:0:1:ffff::2'));
    expect(toKey('2001:db8:0:1::1')).not.toBe(toKey('2001:db8:0:2::1'));
  });
});

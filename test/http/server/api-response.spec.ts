import { ConsistencyTokens } from '../../../src/http/server/consistency-tokens.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { Api } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { ProbeModule } from '../support/probe.js';

let service: Service;
let session: Api;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  session = service.createApi(await service.signToken('ann'));
});
afterAll(() => service.stop());

const names = async (api: Api, headers?: Record<string, string>) =>
  ((await api.get('/v1/businesses', headers)).body.data as { name: string }[]).map(({ name }) => name);

describe('A response', () => {
  it('contains no hidden fields', async () => {
    const api = service.createApi(await service.createKey(await service.createBusiness()));

    expect((await api.get('/v1/commerce/probes')).body.data).toEqual([{ id: '1' }]);
  });

  it('has a token after a write, which any reader can send', async () => {
    const reply = await session.post('/v1/businesses', { name: 'First' });
    const token = reply.headers.get('consistency-token')!;

    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await names(service.createApi(await service.signToken('ann')), { 'consistency-token': token })).toContain(
      'First',
    );
  });

  it('is followed by reads that include the write, without a token', async () => {
    for (const name of ['A', 'B', 'C']) {
      await session.post('/v1/businesses', { name });
      expect(await names(session)).toContain(name);
    }
  });

  it.each(['nonsense', '', 'MDAwMDAwMDAwMDAwMDAwMDAwMDk.AAAAAAAAAAAAAAAA', '.', 'a.b.c'])(
    'ignores the token %j',
    async (token) => {
      const reply = await session.get('/v1/businesses', { 'consistency-token': token });

      expect([reply.status, reply.headers.get('consistency')]).toEqual([200, null]);
    },
  );

  it('is marked stale when its projection does not catch up in time', async () => {
    const token = service.get(ConsistencyTokens).tokenFor(new ConsistencyContext('z'));
    const reply = await service
      .createApi(await service.signToken('ann'))
      .get('/v1/businesses', { 'consistency-token': token });

    expect([reply.status, reply.headers.get('consistency')]).toEqual([200, 'stale']);
  });

  it('has headers that forbid browsers to cache, embed or execute it', async () => {
    const { headers } = await session.get('/v1/businesses');

    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect([
      headers.get('x-content-type-options'),
      headers.get('x-frame-options'),
      headers.get('referrer-policy'),
    ]).toEqual(['nosniff', 'SAMEORIGIN', 'no-referrer']);
  });

  it('has no token after a read', async () => {
    expect((await session.get('/v1/businesses')).headers.has('consistency-token')).toBe(false);
  });
});

import { dataOf, type Api, type Reply } from '../support/api.js';
import { startService, type Service } from '../support/service.js';

const WISH = { name: 'Deployments', mode: 'live', access: 'full' };
const AT_ONCE = 6;

let service: Service;
let session: Api;
beforeEach(async () => {
  service = await startService({ BUSINESS_LIMIT: '2', KEY_LIMIT: '2' });
  session = service.api(await service.token('ann'));
});
afterEach(() => service.stop());

const codesOf = (replies: readonly Reply[]) => replies.map(({ status, body }) => body.code ?? status).sort();

async function keyring(): Promise<Api> {
  return session.with({ 'x-service-business-id': dataOf(await session.post('/v1/businesses', { name: 'A' })).id });
}

describe('The limit of businesses', () => {
  it('holds for requests at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => session.post('/v1/businesses', { name: 'A' })));

    expect(codesOf(replies)).toEqual([201, 201, ...Array(AT_ONCE - 2).fill('business_limit_reached')]);
    expect((await session.get('/v1/businesses')).body.pagination.total_count).toBe(2);
  });

  it('is separate for each user', async () => {
    for (let i = 0; i < 3; i++) await session.post('/v1/businesses', { name: 'A' });

    expect((await service.api(await service.token('bob')).post('/v1/businesses', { name: 'B' })).status).toBe(201);
  });
});

describe('The limit of keys', () => {
  it('holds for requests at the same time', async () => {
    const owner = await keyring();
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => owner.post('/v1/auth/api-keys', WISH)));

    expect(codesOf(replies)).toEqual([201, 201, ...Array(AT_ONCE - 2).fill('key_limit_reached')]);
  });

  it('does not count revoked or expired keys', async () => {
    const owner = await keyring();
    const [first] = [await owner.post('/v1/auth/api-keys', WISH), await owner.post('/v1/auth/api-keys', WISH)];
    await owner.delete(`/v1/auth/api-keys/${dataOf(first).id}`);

    expect((await owner.post('/v1/auth/api-keys', WISH)).status).toBe(201);
    expect((await owner.post('/v1/auth/api-keys', WISH)).body.code).toBe('key_limit_reached');
  });

  it('allows rotations up to a limit', async () => {
    const owner = await keyring();
    const [first] = [await owner.post('/v1/auth/api-keys', WISH), await owner.post('/v1/auth/api-keys', WISH)];
    const rotate = () => owner.post(`/v1/auth/api-keys/${dataOf(first).id}/rotations`, { overlap_seconds: 600 });

    expect(codesOf([await rotate(), await rotate(), await rotate()])).toEqual([201, 201, 'key_limit_reached']);
  });
});

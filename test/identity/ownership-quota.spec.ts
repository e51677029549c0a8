import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { type Service, startService } from '../support/service.js';

const KEY_OPTIONS = { name: 'Deployments', mode: 'live', access: 'full' };
const CONCURRENCY = 6;

let service: Service;
let session: Api;
beforeEach(async () => {
  service = await startService({ BUSINESS_LIMIT: '2', KEY_LIMIT: '2' });
  session = service.createApi(await service.signToken('ann'));
});
afterEach(() => service.stop());

const codesOf = (replies: readonly ApiResponse[]) => replies.map(({ status, body }) => body.code ?? status).sort();

async function createKeyFixtures(): Promise<Api> {
  return session.withHeaders({
    'x-service-business-id': requireData(await session.post('/v1/businesses', { name: 'A' })).id,
  });
}

describe('The limit of businesses', () => {
  it('holds for requests at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: CONCURRENCY }, () => session.post('/v1/businesses', { name: 'A' })),
    );

    expect(codesOf(replies)).toEqual([201, 201, ...Array(CONCURRENCY - 2).fill('business_limit_reached')]);
    expect((await session.get('/v1/businesses')).body.pagination.total_count).toBe(2);
  });

  it('is separate for each user', async () => {
    for (let i = 0; i < 3; i++) await session.post('/v1/businesses', { name: 'A' });

    expect((await service.createApi(await service.signToken('bob')).post('/v1/businesses', { name: 'B' })).status).toBe(
      201,
    );
  });
});

describe('The limit of keys', () => {
  it('holds for requests at the same time', async () => {
    const owner = await createKeyFixtures();
    const replies = await Promise.all(
      Array.from({ length: CONCURRENCY }, () => owner.post('/v1/auth/api-keys', KEY_OPTIONS)),
    );

    expect(codesOf(replies)).toEqual([201, 201, ...Array(CONCURRENCY - 2).fill('key_limit_reached')]);
  });

  it('does not count revoked or expired keys', async () => {
    const owner = await createKeyFixtures();
    const [first] = [
      await owner.post('/v1/auth/api-keys', KEY_OPTIONS),
      await owner.post('/v1/auth/api-keys', KEY_OPTIONS),
    ];
    await owner.delete(`/v1/auth/api-keys/${requireData(first).id}`);

    expect((await owner.post('/v1/auth/api-keys', KEY_OPTIONS)).status).toBe(201);
    expect((await owner.post('/v1/auth/api-keys', KEY_OPTIONS)).body.code).toBe('key_limit_reached');
  });

  it('allows rotations up to a limit', async () => {
    const owner = await createKeyFixtures();
    const [first] = [
      await owner.post('/v1/auth/api-keys', KEY_OPTIONS),
      await owner.post('/v1/auth/api-keys', KEY_OPTIONS),
    ];
    const rotate = () => owner.post(`/v1/auth/api-keys/${requireData(first).id}/rotations`, { overlap_seconds: 600 });

    expect(codesOf([await rotate(), await rotate(), await rotate()])).toEqual([201, 201, 'key_limit_reached']);
  });
});

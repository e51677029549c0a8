import { startService, type Service } from './service.js';

describe('The service of the tests', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('accepts the keys and tokens that it created', async () => {
    const business = await service.business();
    const key = await service.key(business, { mode: 'test' });
    const token = await service.token('reviewer', { reviewer: true });

    expect((await service.api(key).get('/v1/auth/me')).body.data).toMatchObject({ mode: 'test', business: { id: business.id } });
    expect((await service.api(token).get('/v1/auth/me')).status).toBe(200);
    expect((await service.api().get('/v1/auth/me')).status).toBe(401);
  });
});

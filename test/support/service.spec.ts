import { type Service, startService } from './service.js';

describe('The service of the tests', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('accepts the keys and tokens that it created', async () => {
    const business = await service.createBusiness();
    const key = await service.createKey(business, { mode: 'test' });
    const token = await service.signToken('reviewer', { reviewer: true });

    expect((await service.createApi(key).get('/v1/auth/me')).body.data).toMatchObject({
      mode: 'test',
      business: { id: business.id },
    });
    expect((await service.createApi(token).get('/v1/auth/me')).status).toBe(200);
    expect((await service.createApi().get('/v1/auth/me')).status).toBe(401);
  });
});

import { Bootstrap, type FirstKeys } from '../../src/identity/bootstrap.js';
import { type Service, startService } from '../support/service.js';

describe('The first start', () => {
  let service: Service;
  let first: Bootstrap;
  const firstKeys: FirstKeys[] = [];
  beforeAll(async () => {
    service = await startService();
    first = service.get(Bootstrap);
  });
  afterAll(() => service.stop());

  it('shows a working key, even after a crash before it was shown', async () => {
    const crash = () => {
      throw new Error('killed');
    };
    await expect(first.run(crash)).rejects.toThrow('killed');
    await first.run((keys) => firstKeys.push(keys));

    const { status, body } = await service.createApi(firstKeys[0]!.live).get('/v1/auth/me');
    expect([status, body.data.mode, body.data.access]).toEqual([200, 'live', 'full']);
    expect(body.data.business.id).toMatch(/^biz_/);
    const asTest = await service.createApi(firstKeys[0]!.test).get('/v1/auth/me');
    expect(asTest.body.data).toMatchObject({ mode: 'test', access: 'full', business: body.data.business });
  });

  it('is complete after the key was shown', async () => {
    await first.run((keys) => firstKeys.push(keys));
    expect(firstKeys).toHaveLength(1);
  });
});

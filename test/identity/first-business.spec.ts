import { FirstBusiness, type FirstKeys } from '../../src/identity/first-business.js';
import { startService, type Service } from '../support/service.js';

describe('The first start', () => {
  let service: Service;
  let first: FirstBusiness;
  const told: FirstKeys[] = [];
  beforeAll(async () => {
    service = await startService();
    first = service.get(FirstBusiness);
  });
  afterAll(() => service.stop());

  it('shows a working key, even after a crash before it was shown', async () => {
    const crash = () => {
      throw new Error('killed');
    };
    await expect(first.introduce(crash)).rejects.toThrow('killed');
    await first.introduce((keys) => told.push(keys));

    const { status, body } = await service.api(told[0]!.live).get('/v1/auth/me');
    expect([status, body.data.mode, body.data.access]).toEqual([200, 'live', 'full']);
    expect(body.data.business.id).toMatch(/^biz_/);
    const asTest = await service.api(told[0]!.test).get('/v1/auth/me');
    expect(asTest.body.data).toMatchObject({ mode: 'test', access: 'full', business: body.data.business });
  });

  it('is complete after the key was shown', async () => {
    await first.introduce((keys) => told.push(keys));
    expect(told).toHaveLength(1);
  });
});

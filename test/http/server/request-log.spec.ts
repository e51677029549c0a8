import { createTempFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';

describe('The log line of a request', () => {
  it('contains the caller, its business and the problem code, but neither the credential nor the query', async () => {
    const service = await ServiceProcess.start(await createTempFolder(), { LOG_LEVEL: 'info' });
    const api = service.createApi(service.firstKey);
    const { body } = await api.get('/v1/auth/me');
    await api.get('/v1/commerce/products/prod_nobody');
    await api.get('/v1/commerce/products?nonsense=a-value');
    await service.createApi('sk_live_x').get('/v1/auth/me');
    await service.stop();
    const lines = service.output
      .split('\n')
      .filter((line) => line.includes('"request completed"'))
      .map((line) => JSON.parse(line));

    const who = { actor: body.data.actor.id, business: body.data.business.id };
    expect(lines).toMatchObject([
      { path: '/v1/auth/me', status: 200, ...who },
      { path: '/v1/commerce/products/prod_nobody', status: 404, code: 'not_found', ...who },
      { path: '/v1/commerce/products', status: 400, code: 'invalid_parameter', ...who },
      { path: '/v1/auth/me', status: 401, code: 'invalid_credentials' },
    ]);
    expect(Object.keys(lines[0])).not.toContain('code');
    expect(Object.keys(lines[3])).not.toContain('actor');
    for (const line of lines) expect(JSON.stringify(line)).not.toMatch(/sk_live_|nonsense|a-value/);
  });
});

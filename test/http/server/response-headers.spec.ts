import { type Service, startService } from '../../support/service.js';

const PAGE = 'https://app.example.com';
const PUBLIC_DOCUMENTS = [
  '/openapi.json',
  '/asyncapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/docs/guides/errors.md',
  '/problems/not_found',
];
const PREFLIGHT_HEADERS = {
  origin: PAGE,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({ CORS_ORIGINS: `${PAGE},https://shop.example.com` });
  key = await service.createKey(await service.createBusiness());
});
afterAll(() => service.stop());

describe('A response to a caller', () => {
  it.each([
    ['a success', 'GET', '/v1/auth/me'],
    ['an unknown resource', 'GET', '/v1/commerce/products/none_1'],
    ['an unknown path', 'GET', '/v1/nothing'],
    ['a method that is not allowed', 'PUT', '/v1/auth/me'],
  ])('may not be cached: %s', async (_, method, path) => {
    expect((await service.createApi(key).send(method, path)).headers.get('cache-control')).toBe('no-store');
  });

  it('may be cached when it is public', async () => {
    for (const path of PUBLIC_DOCUMENTS)
      expect((await service.createApi().get(path)).headers.get('cache-control')).toMatch(/^public, max-age=/);
  });
});

describe('HEAD', () => {
  it('gets the response of GET without a body', async () => {
    for (const path of [
      '/v1/auth/me',
      '/v1/commerce/products?per_page=1',
      '/openapi.json',
      '/v1/commerce/products/none_1',
    ]) {
      const [get, head] = [await service.createApi(key).get(path), await service.createApi(key).send('HEAD', path)];

      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
  });

  it('is allowed for a read-only key', async () => {
    const business = await service.createBusiness();
    const readOnly = service.createApi(await service.createKey(business, { access: 'read_only' }));

    expect((await readOnly.send('HEAD', '/v1/commerce/products')).status).toBe(200);
  });
});

describe('A page of another origin', () => {
  it('may use the API when its origin is allowed', async () => {
    const asked = await service.createApi().send('OPTIONS', '/v1/commerce/carts', undefined, PREFLIGHT_HEADERS);
    const reply = await service.createApi(key).get('/v1/auth/me', { origin: PAGE });

    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
    expect(asked.headers.get('access-control-allow-headers')).toContain('idempotency-key, last-event-id');
    expect([reply.headers.get('access-control-allow-origin'), reply.headers.get('vary')]).toEqual([PAGE, 'Origin']);
    expect(reply.headers.get('access-control-expose-headers')).toContain('consistency-token');
  });

  it('may read a problem document', async () => {
    const reply = await service.createApi().get('/v1/auth/me', { origin: PAGE });

    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
  });

  it('is rejected when its origin is not allowed', async () => {
    const asked = await service
      .createApi()
      .send('OPTIONS', '/v1/auth/me', undefined, { ...PREFLIGHT_HEADERS, origin: 'https://evil.example.com' });
    const reply = await service.createApi(key).get('/v1/auth/me', { origin: 'https://evil.example.com' });

    expect([asked.status, asked.headers.has('access-control-allow-origin')]).toEqual([405, false]);
    expect([reply.status, reply.headers.has('access-control-allow-origin')]).toEqual([200, false]);
  });

  it('may read public documents from any origin', async () => {
    for (const path of PUBLIC_DOCUMENTS) {
      const { headers } = await service.createApi().get(path, { origin: 'https://elsewhere.example.com' });

      expect([path, headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')]).toEqual([
        path,
        '*',
        'cross-origin',
      ]);
    }
  });

  it('is rejected by a service without allowed origins', async () => {
    const closed = await startService();
    const asked = await closed.createApi().send('OPTIONS', '/v1/auth/me', undefined, PREFLIGHT_HEADERS);
    await closed.stop();

    expect([asked.status, asked.headers.has('access-control-allow-origin')]).toEqual([405, false]);
  });
});

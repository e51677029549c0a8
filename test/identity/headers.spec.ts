import { type Api, requireData } from '../support/api.js';
import { type Service, startService, type TestBusiness } from '../support/service.js';

let service: Service;
let business: TestBusiness;
let owner: Api;
beforeAll(async () => {
  service = await startService();
  business = await service.createBusiness();
  owner = service.createApi(await service.signToken('owner'));
});
afterAll(() => service.stop());

const naming = (id: string) => ({ 'x-service-business-id': id });

describe('The business that a session names', () => {
  it.each(['', 'nonsense', 'usr_1', 'biz_', 'biz_a b', 'biz_1, biz_2', `biz_${'x'.repeat(65)}`])(
    'cannot be %j',
    async (id) => {
      const { status, body } = await owner.get('/v1/commerce/products', naming(id));

      expect([status, body.code, body.errors[0].param]).toEqual([400, 'invalid_parameter', 'X-Service-Business-Id']);
    },
  );

  it('is the business of the caller in auth/me', async () => {
    expect(requireData(await owner.get('/v1/auth/me', { ...naming(business.id), 'x-service-mode': 'test' }))).toEqual({
      object: 'caller',
      actor: { type: 'user', id: business.ownerId },
      user: { id: business.ownerId, email: null },
      business: { object: 'business', id: business.id },
      mode: 'test',
      access: 'full',
    });
  });

  it('gets the same rejection when it is foreign, unknown or missing', async () => {
    const foreign = await service.createBusiness('Foreign', 'somebody');
    const refusals = await Promise.all(
      [naming(foreign.id), naming('biz_unknown'), undefined].map((headers) =>
        owner.get('/v1/commerce/products', { 'x-request-id': 'asked', ...headers }),
      ),
    );

    expect(new Set(refusals.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(refusals[0]!.body.code).toBe('business_access_denied');
  });
});

describe('The mode that a session names', () => {
  it('selects the data that the session sees', async () => {
    const own = owner.withHeaders(naming(business.id));
    const { id } = requireData(
      await own.post('/v1/commerce/products', { name: 'A course' }, { 'x-service-mode': 'test' }),
    );
    const statusIn = async (mode: string) =>
      (await own.get(`/v1/commerce/products/${id}`, { 'x-service-mode': mode })).status;

    expect([await statusIn('test'), await statusIn('live')]).toEqual([200, 404]);
  });

  it('is ignored with a key, and in the community', async () => {
    const key = service.createApi(await service.createKey(business));
    const { id } = requireData(
      await owner.post('/v1/community/communities', { name: 'Potters' }, { 'x-service-mode': 'test' }),
    );

    expect(requireData(await key.get('/v1/auth/me', { 'x-service-mode': 'nonsense' })).mode).toBe('live');
    expect(requireData(await owner.get('/v1/community/communities')).map((found: { id: string }) => found.id)).toEqual([
      id,
    ]);
  });

  it('must be live or test', async () => {
    const { status, body } = await owner.get('/v1/auth/me', { 'x-service-mode': 'LIVE' });

    expect([status, body.code, body.errors[0].param]).toEqual([400, 'invalid_parameter', 'X-Service-Mode']);
  });
});

describe('An idempotency key of a session without a business', () => {
  it('belongs to the user in both modes: the other mode is another request', async () => {
    const key = { 'idempotency-key': 'one business' };
    const first = await owner.post('/v1/businesses', { name: 'Once' }, key);
    const other = await owner.post('/v1/businesses', { name: 'Once' }, { ...key, 'x-service-mode': 'test' });

    expect(first.status).toBe(201);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_conflict']);
  });
});

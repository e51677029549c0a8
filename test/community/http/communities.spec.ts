import { productDecider } from '../../../src/commerce/domain/product.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import type { Mode } from '../../../src/kernel/event.js';
import { type Api, requireData } from '../../support/api.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { createCommunity, signIn, toProblem } from '../community-users.js';

async function createProduct(service: Service, businessId: string, mode: Mode): Promise<string> {
  const productId = `prod_${businessId}_${mode}`;
  const content = { name: 'Membership', description: null, metadata: {}, externalReference: null, plans: [] };
  const create = { type: 'CreateProduct', productId, businessId, mode, ...content } as const;
  await service.get(Streams).execute(productDecider, productId, create, createSystemContext(Date.now()));
  return productId;
}

const COMMUNITIES = '/v1/community/communities';

describe('A community', () => {
  let service: Service;
  let business: TestBusiness;
  let key: Api;
  let ada: Api;
  beforeAll(async () => {
    service = await startService();
    business = await service.createBusiness();
    key = service.createApi(await service.createKey(business));
    ada = await signIn(service, 'ada');
  });
  afterAll(() => service.stop());

  it('is created by a key for its business and owned by the user of the key', async () => {
    const answer = await key.post(COMMUNITIES, {
      name: '  Potters ',
      description: 'Clay',
      cover_image_url: 'https://example.com/c.png',
    });

    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^com_[0-9a-z]{26}$/),
      object: 'community',
      name: 'Potters',
      description: 'Clay',
      cover_image_url: 'https://example.com/c.png',
      tier: 'free',
      join_policy: 'open',
      status: 'active',
      owner: { object: 'user', id: business.ownerId },
      business: { object: 'business', id: business.id },
      product: null,
      levels: [0, 5, 20, 65, 155, 515, 2015, 8015, 33015].map((points, i) => ({ level: i + 1, points })),
      member_count: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: answer.body.data.created_at,
    });
    expect(requireData(await key.get(`${COMMUNITIES}/${answer.body.data.id}`))).toEqual(answer.body.data);
  });

  it('is created by any signed-in user without a business', async () => {
    const me = requireData(await ada.get('/v1/auth/me'));

    expect(await createCommunity(ada)).toMatchObject({ owner: { object: 'user', id: me.user.id }, business: null });
  });

  it('is created by a session for the business in its header', async () => {
    const owner = (await signIn(service, business.ownerSubject)).withHeaders({ 'x-service-business-id': business.id });

    expect(await createCommunity(owner)).toMatchObject({ business: { id: business.id } });
  });

  it('shows outsiders only its public fields', async () => {
    const community = await createCommunity(key);

    const seen = requireData(await ada.get(`${COMMUNITIES}/${community.id}`));

    const { id, object, name, description, cover_image_url, tier, status, product, member_count, created_at } =
      community;
    expect(seen).toEqual({
      id,
      object,
      name,
      description,
      cover_image_url,
      tier,
      status,
      product,
      member_count,
      created_at,
    });
  });

  it('is listed for its business and for its owner', async () => {
    const other = await service.createBusiness('Another', 'grace');
    const otherKey = service.createApi(await service.createKey(other));
    const [first, second] = [
      await createCommunity(otherKey, { name: 'First' }),
      await createCommunity(otherKey, { name: 'Second' }),
    ];
    const own = await createCommunity(await signIn(service, 'grace'), { name: 'Own' });

    const listed = await otherKey.get(`${COMMUNITIES}?per_page=101`);

    expect(listed.body).toEqual({
      data: [second, first],
      pagination: { total_pages: 1, current_page: 1, per_page: 100, total_count: 2 },
    });
    const graces = requireData(await (await signIn(service, 'grace')).get(COMMUNITIES)) as { id: string }[];
    expect(graces.map(({ id }) => id)).toEqual([own, second, first].map(({ id }) => id));
  });

  it.each([
    ['without a name', {}, 'validation_failed', ['name']],
    ['with a name of spaces', { name: '   ' }, 'validation_failed', ['name']],
    ['with a name of 121 characters', { name: 'x'.repeat(121) }, 'validation_failed', ['name']],
    [
      'with a description of 5001 characters',
      { name: 'x', description: 'x'.repeat(5001) },
      'validation_failed',
      ['description'],
    ],
    [
      'with a cover over http',
      { name: 'x', cover_image_url: 'http://example.com/c.png' },
      'validation_failed',
      ['cover_image_url'],
    ],
    ['in another tier', { name: 'x', tier: 'gold' }, 'validation_failed', ['tier']],
    ['with an unknown product', { name: 'x', tier: 'paid', product_id: 'prod_1' }, 'validation_failed', ['product_id']],
    ['with an unknown field', { name: 'x', join_policy: 'open' }, 'unknown_parameter', ['join_policy']],
    ['with several mistakes', { tier: 'gold', colour: 'red' }, 'validation_failed', ['colour', 'name', 'tier']],
  ])('is refused %s', async (_, body, code, fields) =>
    expect(toProblem(await key.post(COMMUNITIES, body))).toEqual({
      status: 422,
      code,
      fields: expect.arrayContaining(fields),
    }),
  );

  it('may be paid and have a name of 120 characters', async () =>
    expect(await createCommunity(key, { name: 'é'.repeat(120), tier: 'paid' })).toMatchObject({
      tier: 'paid',
      product: null,
    }));

  it('accepts only a live product of its own business', async () => {
    const other = await service.createBusiness('Shop', 'sam');
    const product = ({ id }: TestBusiness, mode: Mode) => createProduct(service, id, mode);

    const linked = await product(business, 'live');
    expect(await createCommunity(key, { name: 'x', tier: 'paid', product_id: linked })).toMatchObject({
      product: { object: 'product', id: linked },
    });
    for (const product_id of [await product(business, 'test'), await product(other, 'live')])
      expect(toProblem(await key.post(COMMUNITIES, { name: 'x', tier: 'paid', product_id }))).toMatchObject({
        fields: ['product_id'],
      });
    expect(toProblem(await key.post(COMMUNITIES, { name: 'x', product_id: linked }))).toMatchObject({
      status: 422,
      fields: ['product_id'],
    });
  });

  it('accepts live keys and sessions, and only live secret keys for writes', async () => {
    const readOnly = service.createApi(await service.createKey(business, { access: 'read_only' }));
    const test = service.createApi(await service.createKey(business, { mode: 'test' }));

    expect(toProblem(await readOnly.post(COMMUNITIES, { name: 'x' }))).toMatchObject({
      status: 403,
      code: 'read_only_key',
    });
    expect((await readOnly.get(COMMUNITIES)).status).toBe(200);
    expect(toProblem(await test.post(COMMUNITIES, { name: 'x' }))).toMatchObject({
      status: 403,
      code: 'live_key_required',
    });
    expect(toProblem(await service.createApi().post(COMMUNITIES, { name: 'x' }))).toMatchObject({ status: 401 });
  });

  it('ignores an idempotency key', async () => {
    const twice = { 'idempotency-key': 'once' };

    const [first, second] = [
      await key.post(COMMUNITIES, { name: 'x' }, twice),
      await key.post(COMMUNITIES, { name: 'y' }, twice),
    ];

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.data.id).not.toBe(second.body.data.id);
  });

  it.each(['com_0', 'nonsense', '%00'])('is not found by the id %s', async (id) =>
    expect(toProblem(await key.get(`${COMMUNITIES}/${id}`))).toMatchObject({ status: 404, code: 'not_found' }),
  );
});

import { requireData } from '../../support/api.js';
import { CommerceFixture } from '../commerce-fixture.js';

const PATH = '/v1/commerce/discounts';

describe('A discount', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  const create = (code: string, more: object = {}, headers = {}) =>
    shop.api.post(PATH, { code, percent_off: 20, ...more }, headers);

  it('is created, and returned by the list of its own business and mode alone', async () => {
    const body = { duration: 'repeating', months: 3 };
    const discount = requireData(await create(' Autumn ', body));

    expect(discount).toEqual({
      id: expect.stringMatching(/^dsc_[0-9a-z]{26}$/),
      object: 'discount',
      business: { object: 'business', id: shop.businessId },
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      code: 'Autumn',
      percent_off: 20,
      ...body,
      status: 'active',
      redemptions: 0,
    });
    expect((await shop.list('discounts')).body.data).toEqual([discount]);
    for (const mode of ['live', 'test'] as const) {
      const other = await CommerceFixture.createIn(shop.service, mode);
      expect((await other.list('discounts')).body.data).toEqual([]);
    }
  });

  it('applies once by default', async () => {
    expect(requireData(await create('default'))).toMatchObject({ duration: 'once', months: null });
  });

  it('has a code that no other active discount of the business and mode has, in any letter case', async () => {
    const { id } = requireData(await create('Spring'));
    const taken = await create('SPRING', { percent_off: 30 });
    expect([taken.status, taken.body.code, taken.body.errors]).toEqual([
      422,
      'discount_code_taken',
      [{ code: 'discount_code_taken', detail: expect.any(String), param: 'code' }],
    ]);

    const other = await CommerceFixture.createIn(shop.service);
    requireData(await other.api.post(PATH, { code: 'Spring', percent_off: 1 }));
    requireData(await shop.api.delete(`${PATH}/${id}`));
    requireData(await create('SPRING'));
    expect((await create('spring')).body.code).toBe('discount_code_taken');
  });

  it('is created once of several with the same code at the same time', async () => {
    const statuses = (await Promise.all(['Rush', 'rush', 'RUSH'].map((code) => create(code)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([201, 422, 422]);
  });

  it('is created once per idempotency key', async () => {
    const key = { 'idempotency-key': 'one discount' };
    const first = await create('keyed', {}, key);
    expect(first.status).toBe(201);
    expect((await create('keyed', {}, key)).text).toBe(first.text);
    expect((await create('another', {}, key)).body.code).toBe('idempotency_key_conflict');
  });

  it('frees its code when it is deleted, also when it is deleted twice', async () => {
    const discount = requireData(await create('gone'));
    const deleted = await shop.api.delete(`${PATH}/${discount.id}`);
    expect([deleted.status, deleted.body.data]).toEqual([200, { ...discount, status: 'deleted' }]);
    expect((await shop.api.delete(`${PATH}/${discount.id}`)).body.data).toEqual(deleted.body.data);

    const { data } = (await shop.list('discounts')).body as { data: { id: string }[] };
    expect(data.find(({ id }) => id === discount.id)).toEqual(deleted.body.data);
    expect((await create('gone')).status).toBe(201);
  });

  it('is not found from another business or mode', async () => {
    const { id } = requireData(await create('hidden'));
    for (const mode of ['live', 'test'] as const) {
      const other = await CommerceFixture.createIn(shop.service, mode);
      expect((await other.api.delete(`${PATH}/${id}`)).body.code).toBe('not_found');
    }
    expect((await shop.api.delete(`${PATH}/dsc_0`)).body.code).toBe('not_found');
    expect((await create('HIDDEN')).body.code).toBe('discount_code_taken');
  });

  it.each([
    ['a code of 2 characters', { code: ' ab ' }, 'code'],
    ['a code of 41 characters', { code: 'x'.repeat(41) }, 'code'],
    ['no code', { code: undefined }, 'code'],
    ['0 percent', { percent_off: 0 }, 'percent_off'],
    ['101 percent', { percent_off: 101 }, 'percent_off'],
    ['half a percent', { percent_off: 0.5 }, 'percent_off'],
    ['an unknown duration', { duration: 'twice' }, 'duration'],
    ['null as duration', { duration: null }, 'duration'],
    ['no months, when it repeats', { duration: 'repeating' }, 'months'],
    ['0 months', { duration: 'repeating', months: 0 }, 'months'],
    ['months, when it applies once', { months: 3 }, 'months'],
  ])('is refused with %s', async (_, body, param) => {
    const { status, body: problem } = await create('refused', body);
    expect([status, problem.code, problem.errors[0].param]).toEqual([422, 'validation_failed', param]);
    expect((await shop.list('discounts')).body.data).not.toContainEqual(expect.objectContaining({ code: 'refused' }));
  });

  it('is refused with an unknown field', async () => {
    expect((await create('unknown', { amount_off: 5 })).body.code).toBe('unknown_parameter');
  });
});

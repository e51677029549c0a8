import type { Api } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';

const HIDDEN: readonly [what: string, character: string][] = [
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a soft hyphen', '\u00ad'],
  ['a right-to-left override', '\u202e'],
  ['a byte order mark', '\ufeff'],
  ['a no-break space', '\u00a0'],
  ['a bell', '\u0007'],
  ['a line break', '\n'],
];

type Send = (api: Api, text: string) => ReturnType<Api['get']>;

const BODIES: readonly [field: string, send: Send][] = [
  ['code', (api, code) => api.post('/v1/commerce/discounts', { code, percent_off: 10 })],
  ['discount_code', (api, discount_code) => api.post('/v1/commerce/carts', { discount_code })],
  ['external_reference', (api, external_reference) => api.post('/v1/commerce/carts', { external_reference })],
  ['external_reference', (api, text) => api.post('/v1/commerce/products', { name: 'x', external_reference: text })],
  ['token', (api, token) => api.put('/v1/commerce/subscriptions/ps_0/payment-method', { token })],
  ['metadata', (api, key) => api.post('/v1/commerce/carts', { metadata: { a: { [key]: 1 } } })],
  [
    'metadata',
    (api, key) => api.post('/v1/community/communities/com_0/posts', { content: 'x', metadata: { [key]: 1 } }),
  ],
  [
    'source_id',
    (api, source_id) =>
      api.post('/v1/community/communities/com_0/points', {
        points: 1,
        target_email: 'ann@example.com',
        source_type: 'course',
        source_id,
      }),
  ],
  [
    'mime_type',
    (api, mime_type) =>
      api.post('/v1/community/communities/com_0/library/resources', {
        title: 'x',
        file_url: 'https://example.com/x',
        mime_type,
      }),
  ],
];

const FILTERS: readonly [filter: string, path: string][] = [
  ['product_id', '/v1/commerce/orders'],
  ['buyer_email', '/v1/commerce/payments'],
  ['actor', '/v1/audit/events'],
  ['event_id', '/v1/webhooks/deliveries'],
  ['email', '/v1/community/communities/com_0/members'],
];

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startService();
  api = service.createApi(await service.createKey(await service.createBusiness()));
});
afterAll(() => service.stop());

describe.each(HIDDEN)('A text with %s', (_, character) => {
  const text = `ab${character}cd`;

  it.each(BODIES)('is refused as %s', async (field, send) => {
    const { status, body } = await send(api, text);
    const errors = body.errors as unknown as { param?: string; field?: string }[];
    expect([status, errors.map(({ param, field: named }) => param ?? named)]).toEqual([422, [field]]);
  });

  it.each(FILTERS)('is refused as the filter %s of %s', async (filter, path) => {
    const { status, body } = await api.get(`${path}?${filter}=${encodeURIComponent(text)}`);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  });
});

describe('A text with a space between two words', () => {
  it('is accepted as a code, a reference and a key of metadata', async () => {
    const discount = await api.post('/v1/commerce/discounts', { code: 'Spring sale', percent_off: 10 });
    const cart = await api.post('/v1/commerce/carts', {
      discount_code: 'spring SALE',
      external_reference: 'Order 7',
      metadata: { 'first name': 'Ann' },
    });

    expect([discount.status, cart.status]).toEqual([201, 201]);
  });
});

import { PUBLISHED_TYPE, toProblem, WebhookFixture } from '../webhook-fixture.js';

const PATH = '/v1/webhooks/endpoints';

let fixture: WebhookFixture;
beforeAll(async () => void (fixture = await WebhookFixture.start()));
afterAll(() => fixture.close());

describe('An endpoint', () => {
  it.each([
    ['headers of its own', { headers: { 'X-Mine': 'a' } }, 'headers'],
    ['basic authentication', { basic_auth: { username: 'a', password: 'b' } }, 'basic_auth'],
    ['a client certificate', { client_certificate: '-----BEGIN CERTIFICATE-----' }, 'client_certificate'],
    ['a version of HTTP', { http_version: '2' }, 'http_version'],
  ])('has no %s', async (_, option, param) => {
    const { id } = await fixture.createEndpoint('/plain');
    const url = fixture.receiver.url('/with-option');
    for (const refused of [
      await fixture.api.post(PATH, { url, ...option }),
      await fixture.editEndpoint(id, { url, ...option }),
    ])
      expect(toProblem(refused)).toMatchObject({ status: 422, code: 'unknown_parameter', params: [param] });
    expect((await fixture.api.get(`${PATH}/${id}`)).body.data.url).toBe(fixture.receiver.url('/plain'));
  });

  it.each(['offers.*', '*.sent', 'offer', '**', ' *'])('subscribes to no unknown type or pattern: %j', async (type) => {
    const refused = await fixture.api.post(PATH, { url: fixture.receiver.url('/'), event_types: [type] });
    expect(toProblem(refused)).toMatchObject({ status: 422, code: 'event_type_unknown', params: ['event_types[0]'] });
  });
});

describe('A list by pages', () => {
  it('skips as many elements as were deleted before its next page, and its first page shows them', async () => {
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    for (let i = 0; i < 6; i++) await other.createEndpoint(`/${i}`);
    const readPage = async (page: number): Promise<string[]> =>
      (await other.api.get(`${PATH}?per_page=2&page=${page}`)).body.data.map(({ id }: { id: string }) => id);
    const [first, second, third] = [await readPage(1), await readPage(2), await readPage(3)] as const;
    const [skipped, next] = [second, third];
    for (const id of first) expect((await other.api.delete(`${PATH}/${id}`)).status).toBe(200);
    expect([await readPage(2), await readPage(1)]).toEqual([next, skipped]);
  });
});

describe('A test clock that is 40 days ahead', () => {
  it('leaves the times of events and deliveries real, and they are replayed', async () => {
    const { service, business, receiver } = fixture;
    const api = service.createApi(await service.createKey(business, { mode: 'test' }));
    const ahead = new Date(Date.now() + 40 * 86_400_000).toISOString();
    expect((await api.put('/v1/commerce/test-clock', { now: ahead })).status).toBe(200);
    receiver.setResponses('/ahead');
    await api.post(PATH, { url: receiver.url('/ahead'), event_types: [PUBLISHED_TYPE] });
    const before = new Date().toISOString();
    await api.post('/v1/commerce/products', { name: 'A course' });
    const [sent] = await receiver.waitForRequests('/ahead');
    const event = JSON.parse(sent!.body);
    expect(event.occurred_at >= before && event.occurred_at <= new Date().toISOString()).toBe(true);
    expect(event.data.created_at >= ahead).toBe(true);

    const deliveryId = sent!.headers['x-service-delivery-id'] as string;
    const replayed = await api.post(`/v1/webhooks/deliveries/${deliveryId}/replay`, undefined, {
      'idempotency-key': 'ahead',
    });
    expect(replayed.body.data).toMatchObject({ status: 'success', attempt: 2 });
    const again = JSON.parse(receiver.requestsFor('/ahead')[1]!.body);
    expect([again.id, again.occurred_at]).toEqual([event.id, event.occurred_at]);
    expect(again.created_at >= event.created_at && again.created_at <= new Date().toISOString()).toBe(true);
  });
});

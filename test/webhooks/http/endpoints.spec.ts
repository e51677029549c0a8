import type { ApiResponse } from '../../support/api.js';
import { PUBLISHED_TYPE, toProblem, waitFor, WebhookFixture } from '../webhook-fixture.js';

const withoutSecret = ({ signing_secret: _, ...endpoint }: ApiResponse['body']) => endpoint;

describe('Endpoints', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_ENDPOINT_LIMIT: '8' })));
  afterAll(() => fixture.close());

  const paths = '/v1/webhooks/endpoints';
  const own = (id: string) => `${paths}/${id}`;

  it('are created with a secret that is returned once', async () => {
    const body = { url: fixture.receiver.url('/once'), metadata: { team: 'a.b$' } };
    const first = await fixture.api.post(paths, body, { 'idempotency-key': 'once' });
    expect(first.status).toBe(201);
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^whs_[0-9a-z]{26}$/),
      object: 'webhook_endpoint',
      url: body.url,
      description: null,
      event_types: ['*'],
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      rate_limit_per_second: null,
      notification_emails: [],
      metadata: { team: 'a.b$' },
      secret_rotated_at: null,
      last_success_at: null,
      last_failure_at: null,
      waiting: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      signing_secret: expect.stringMatching(/^whsec_/),
    });

    const again = await fixture.api.post(paths, body, { 'idempotency-key': 'once' });
    const created = withoutSecret(first.body.data);
    expect([again.status, again.body.data]).toEqual([201, created]);
    expect((await fixture.api.get(own(created.id))).body.data).toEqual(created);
    expect((await fixture.api.get(paths)).body.data).toContainEqual(created);
  });

  it('are changed, disabled and enabled', async () => {
    const { id } = await fixture.createEndpoint('/changed', { status: 'disabled', event_types: ['offer.sent'] });
    expect((await fixture.api.get(own(id))).body.data).toMatchObject({ status: 'disabled', disabled_reason: 'manual' });

    const change = {
      status: 'enabled',
      event_types: ['offer.sent', 'offer.accepted'],
      rate_limit_per_second: 5,
      description: 'Ours',
    };
    const { status, body } = await fixture.editEndpoint(id, change);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...change, disabled_reason: null, disabled_at: null });
    expect((await fixture.api.get(own(id))).body.data).toEqual(body.data);
  });

  it('are returned with the times of their last deliveries when they are deleted', async () => {
    const { id } = await fixture.createEndpoint('/delivered', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const shown = await waitFor(async () => {
      const { data } = (await fixture.api.get(own(id))).body;
      return data.last_success_at === null ? null : data;
    });
    expect((await fixture.api.delete(own(id))).body.data).toEqual(shown);
  });

  it('are not found after they were deleted', async () => {
    const endpoint = withoutSecret(await fixture.createEndpoint('/deleted'));
    const deleted = await fixture.api.delete(own(endpoint.id));
    expect([deleted.status, deleted.body.data]).toEqual([200, endpoint]);

    for (const reply of [
      await fixture.api.delete(own(endpoint.id)),
      await fixture.editEndpoint(endpoint.id, {}),
      await fixture.api.get(own(endpoint.id)),
    ])
      expect(toProblem(reply)).toEqual({ status: 404, code: 'not_found', params: [] });
    expect((await fixture.rotateSecret(endpoint.id)).status).toBe(404);
    expect((await fixture.sendTestEvent(endpoint.id)).status).toBe(404);
  });

  it.each([
    [{ url: 'http://10.0.0.1/hook' }, 'url_not_allowed', ['url']],
    [{ url: 'hook' }, 'url_not_allowed', ['url']],
    [{ url: undefined }, 'url_not_allowed', ['url']],
    [{ url: null }, 'url_not_allowed', ['url']],
    [{ url: 5 }, 'url_not_allowed', ['url']],
    [{ url: '' }, 'url_not_allowed', ['url']],
    [{ url: 'ftp://x', status: 'x' }, 'validation_failed', ['url', 'status']],
    [{ event_types: ['offer.sent', 'offer.sent', 'offer.exploded'] }, 'event_type_unknown', ['event_types[2]']],
    [{ event_types: ['offer.exploded'] }, 'event_type_unknown', ['event_types[0]']],
    [{ event_types: ['offer.sent', 'webhook.test'] }, 'event_type_closed', ['event_types[1]']],
    [{ event_types: [] }, 'validation_failed', ['event_types']],
    [{ event_types: ['*', 'offer.sent'] }, 'validation_failed', ['event_types[0]']],
    [{ url: 'hook', event_types: ['offer.exploded'] }, 'validation_failed', ['url', 'event_types[0]']],
    [{ rate_limit_per_second: 0 }, 'validation_failed', ['rate_limit_per_second']],
    [{ secret: 'mine' }, 'unknown_parameter', ['secret']],
  ])('refuse %j', async (body, code, params) => {
    const reply = await fixture.api.post(paths, { url: fixture.receiver.url('/refused'), ...body });
    expect(toProblem(reply)).toEqual({ status: 422, code, params });
  });

  it('are limited in number, without deleted endpoints', async () => {
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => other.createEndpoint(`/limited-${i}`)));
    const body = { url: fixture.receiver.url('/limited') };
    expect(toProblem(await other.api.post(paths, body))).toMatchObject({ status: 422, code: 'endpoint_limit_reached' });

    await other.api.delete(own(all[0].id));
    expect((await other.api.post(paths, body)).status).toBe(201);
  });

  it('belong to one business in one mode', async () => {
    const { id } = await fixture.createEndpoint('/private');
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    const inTest = fixture.service.createApi(await fixture.service.createKey(fixture.business, { mode: 'test' }));
    for (const api of [other.api, inTest]) {
      expect((await api.get(own(id))).status).toBe(404);
      expect((await api.patch(own(id), { status: 'disabled' })).status).toBe(404);
      expect((await api.delete(own(id))).status).toBe(404);
      expect((await api.get(paths)).body.data).toEqual([]);
    }
  });

  it('are not changed by a read-only key', async () => {
    const readOnly = fixture.service.createApi(
      await fixture.service.createKey(fixture.business, { access: 'read_only' }),
    );
    expect((await readOnly.get(paths)).status).toBe(200);
    expect(toProblem(await readOnly.post(paths, {}))).toMatchObject({ status: 403, code: 'read_only_key' });
  });
});

describe('Event types', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.close());

  it('are retrieved by id with all fields', async () => {
    const { status, body } = await fixture.api.get('/v1/webhooks/event-types/cart.order.completed');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: 'cart.order.completed',
      object: 'event_type',
      category: 'cart',
      summary: expect.any(String),
      description: expect.any(String),
      accepts_new_subscriptions: true,
      included_in_all: true,
      sent: true,
    });
  });

  it('are listed in pages, sorted by id', async () => {
    const { body } = await fixture.api.get('/v1/webhooks/event-types?page=9');
    expect(body.pagination).toEqual({ total_pages: 5, current_page: 5, per_page: 25, total_count: 106 });
    const pages = [1, 2, 3, 4].map(
      async (page) => (await fixture.api.get(`/v1/webhooks/event-types?page=${page}`)).body.data,
    );
    const ids = [...(await Promise.all(pages)).flat(), ...body.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort());
  });

  it('are not found by an unknown id and need a credential', async () => {
    expect((await fixture.api.get('/v1/webhooks/event-types/offer.exploded')).status).toBe(404);
    expect((await fixture.service.createApi().get('/v1/webhooks/event-types/offer.sent')).status).toBe(401);
  });
});

import { requireData } from '../../support/api.js';
import { hang, respondWith } from '../../support/receiver-responses.js';
import { newIdempotencyKey, toProblem, WebhookFixture } from '../webhook-fixture.js';

describe('A test event', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_ENDPOINT_CONCURRENCY: '1' })));
  afterAll(() => fixture.close());

  it('is sent at once, and its record says that it was a test', async () => {
    const { id } = await fixture.createEndpoint('/test');
    const { status, body } = await fixture.sendTestEvent(id);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      delivery_id: expect.stringMatching(/^whd_/),
      duration_ms: expect.any(Number),
      response_status: 200,
      status: 'success',
      failure: null,
    });

    const [sent] = fixture.receiver.requestsFor('/test');
    expect(JSON.parse(sent!.body)).toMatchObject({
      type: 'webhook.test',
      test: true,
      delivery_id: body.data.delivery_id,
    });
    const record = await fixture.api.get(`/v1/webhooks/deliveries/${body.data.delivery_id}`);
    expect(record.body.data).toMatchObject({
      event_type: 'webhook.test',
      test: true,
      attempt: 1,
      max_attempts: 1,
      endpoint: { id },
    });
  });

  it('sends the example of the type that the body names', async () => {
    const { id } = await fixture.createEndpoint('/named', { event_types: ['offer.sent'] });
    const { body } = await fixture.sendTestEvent(id, newIdempotencyKey(), { event_type: 'cart.order.completed' });
    expect(body.data).toMatchObject({ status: 'success' });

    const [sent] = fixture.receiver.requestsFor('/named');
    const { examples } = requireData(await fixture.api.get('/v1/webhooks/event-types/cart.order.completed/schema'));
    expect(sent!.headers['x-service-event-type']).toBe('cart.order.completed');
    expect(JSON.parse(sent!.body)).toMatchObject({
      type: 'cart.order.completed',
      version: '1',
      test: true,
      data: examples[0],
    });
    const record = requireData(await fixture.api.get(`/v1/webhooks/deliveries/${body.data.delivery_id}`));
    expect(record).toMatchObject({ event_type: 'cart.order.completed', test: true, max_attempts: 1 });
    const request = requireData(await fixture.api.get(`/v1/webhooks/deliveries/${body.data.delivery_id}/request`));
    expect(request.body).toBe(sent!.body);
  });

  it('has no data for a type that is not sent yet', async () => {
    const { id } = await fixture.createEndpoint('/unsent');
    await fixture.sendTestEvent(id, newIdempotencyKey(), { event_type: 'offer.sent' });
    expect(JSON.parse(fixture.receiver.requestsFor('/unsent')[0]!.body)).toMatchObject({
      type: 'offer.sent',
      test: true,
      data: {},
    });
  });

  it.each([[undefined], [{}], [{ event_type: 'webhook.test' }]])(
    'names its endpoint when the body is %j',
    async (asked) => {
      const path = `/plain-${JSON.stringify(asked)?.length ?? 0}`;
      const { id } = await fixture.createEndpoint(path);
      await fixture.sendTestEvent(id, newIdempotencyKey(), asked);
      expect(JSON.parse(fixture.receiver.requestsFor(path)[0]!.body)).toMatchObject({
        type: 'webhook.test',
        data: { endpoint: { id } },
      });
    },
  );

  it.each([['order.eaten'], [''], ['*'], [7], [null]])('is refused for the type %j', async (event_type) => {
    const reply = await fixture.sendTestEvent('whs_anything', newIdempotencyKey(), { event_type });
    expect(toProblem(reply)).toMatchObject({ status: 422, code: 'event_type_unknown', params: ['event_type'] });
  });

  it('is sent once under one idempotency key', async () => {
    const { id } = await fixture.createEndpoint('/keyed');
    const key = newIdempotencyKey();
    const first = await fixture.sendTestEvent(id, key);
    const again = await fixture.sendTestEvent(id, key);
    expect(again.text).toBe(first.text);
    expect(fixture.receiver.requestsFor('/keyed')).toHaveLength(1);
  });

  it('is sent to a disabled endpoint', async () => {
    const { id } = await fixture.createEndpoint('/disabled', { status: 'disabled' });
    expect((await fixture.sendTestEvent(id)).body.data).toMatchObject({ status: 'success' });
  });

  it('returns the status of the response', async () => {
    fixture.receiver.setResponses('/failing', respondWith(500));
    const { id } = await fixture.createEndpoint('/failing');
    expect((await fixture.sendTestEvent(id)).body.data).toMatchObject({ status: 'failed', response_status: 500 });
  });

  it('returns zeros when no response was received', async () => {
    const { id } = await fixture.createEndpoint('/nobody', { url: 'http://127.0.0.1:1/' });
    expect((await fixture.sendTestEvent(id)).body.data).toMatchObject({
      status: 'failed',
      response_status: 0,
      duration_ms: 0,
    });
  });

  it('is refused when no slot of the endpoint is free in time', async () => {
    const slow = await WebhookFixture.start({ WEBHOOK_TIMEOUT_MS: '3000', WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    slow.receiver.setResponses('/hanging', hang());
    const { id } = await slow.createEndpoint('/hanging');
    const first = slow.sendTestEvent(id);
    await slow.receiver.waitForRequests('/hanging');
    const second = await slow.sendTestEvent(id);
    expect(toProblem(second)).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(second.headers.get('retry-after')).toBe('1');
    expect((await first).body.data).toMatchObject({ status: 'failed', response_status: 0 });
    await slow.close();
  });

  it('is sent at most 10 times a minute', async () => {
    const { id } = await fixture.createEndpoint('/often');
    for (let i = 0; i < 10; i++) expect((await fixture.sendTestEvent(id)).status).toBe(201);
    const reply = await fixture.sendTestEvent(id);
    expect(toProblem(reply)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(reply.headers.get('retry-after')).not.toBeNull();
  });

  it('needs a key', async () => {
    const { id } = await fixture.createEndpoint('/unkeyed');
    const reply = await fixture.api.post(`/v1/webhooks/endpoints/${id}/test-events`);
    expect(toProblem(reply)).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  });

  it('cannot be replayed', async () => {
    const { id } = await fixture.createEndpoint('/replayed');
    const { delivery_id } = (await fixture.sendTestEvent(id)).body.data;
    expect(toProblem(await fixture.replayDelivery(delivery_id))).toMatchObject({
      status: 422,
      code: 'attempts_exhausted',
    });
  });
});

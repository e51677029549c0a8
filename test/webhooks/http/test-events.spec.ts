import { dataOf } from '../../support/api.js';
import { hang, status } from '../../support/answers.js';
import { Desk, freshKey, refusalOf } from '../desk.js';

describe('A test event', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open({ WEBHOOK_TIMEOUT_MS: '300', WEBHOOK_ENDPOINT_CONCURRENCY: '1' })));
  afterAll(() => desk.close());

  it('is sent at once, and its record says that it was a test', async () => {
    const { id } = await desk.endpoint('/test');
    const { status, body } = await desk.test(id);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      delivery_id: expect.stringMatching(/^whd_/),
      duration_ms: expect.any(Number),
      response_status: 200,
      status: 'success',
      failure: null,
    });

    const [sent] = desk.receiver.at('/test');
    expect(JSON.parse(sent!.body)).toMatchObject({ type: 'webhook.test', test: true, delivery_id: body.data.delivery_id });
    const record = await desk.api.get(`/v1/webhooks/deliveries/${body.data.delivery_id}`);
    expect(record.body.data).toMatchObject({ event_type: 'webhook.test', test: true, attempt: 1, max_attempts: 1, endpoint: { id } });
  });

  it('sends the example of the type that the body names', async () => {
    const { id } = await desk.endpoint('/named', { event_types: ['offer.sent'] });
    const { body } = await desk.test(id, freshKey(), { event_type: 'cart.order.completed' });
    expect(body.data).toMatchObject({ status: 'success' });

    const [sent] = desk.receiver.at('/named');
    const { examples } = dataOf(await desk.api.get('/v1/webhooks/event-types/cart.order.completed/schema'));
    expect(sent!.headers['x-service-event-type']).toBe('cart.order.completed');
    expect(JSON.parse(sent!.body)).toMatchObject({ type: 'cart.order.completed', version: '1', test: true, data: examples[0] });
    const record = dataOf(await desk.api.get(`/v1/webhooks/deliveries/${body.data.delivery_id}`));
    expect(record).toMatchObject({ event_type: 'cart.order.completed', test: true, max_attempts: 1 });
    const request = dataOf(await desk.api.get(`/v1/webhooks/deliveries/${body.data.delivery_id}/request`));
    expect(request.body).toBe(sent!.body);
  });

  it('has no data for a type that is not sent yet', async () => {
    const { id } = await desk.endpoint('/unsent');
    await desk.test(id, freshKey(), { event_type: 'offer.sent' });
    expect(JSON.parse(desk.receiver.at('/unsent')[0]!.body)).toMatchObject({ type: 'offer.sent', test: true, data: {} });
  });

  it.each([[undefined], [{}], [{ event_type: 'webhook.test' }]])('names its endpoint when the body is %j', async (asked) => {
    const path = `/plain-${JSON.stringify(asked)?.length ?? 0}`;
    const { id } = await desk.endpoint(path);
    await desk.test(id, freshKey(), asked);
    expect(JSON.parse(desk.receiver.at(path)[0]!.body)).toMatchObject({ type: 'webhook.test', data: { endpoint: { id } } });
  });

  it.each([['order.eaten'], [''], ['*'], [7], [null]])('is refused for the type %j', async (event_type) => {
    const reply = await desk.test('whs_anything', freshKey(), { event_type });
    expect(refusalOf(reply)).toMatchObject({ status: 422, code: 'event_type_unknown', params: ['event_type'] });
  });

  it('is sent once under one idempotency key', async () => {
    const { id } = await desk.endpoint('/keyed');
    const key = freshKey();
    const first = await desk.test(id, key);
    const again = await desk.test(id, key);
    expect(again.text).toBe(first.text);
    expect(desk.receiver.at('/keyed')).toHaveLength(1);
  });

  it('is sent to a disabled endpoint', async () => {
    const { id } = await desk.endpoint('/disabled', { status: 'disabled' });
    expect((await desk.test(id)).body.data).toMatchObject({ status: 'success' });
  });

  it('returns the status of the response', async () => {
    desk.receiver.answers('/failing', status(500));
    const { id } = await desk.endpoint('/failing');
    expect((await desk.test(id)).body.data).toMatchObject({ status: 'failed', response_status: 500 });
  });

  it('returns zeros when no response was received', async () => {
    const { id } = await desk.endpoint('/nobody', { url: 'http://127.0.0.1:1/' });
    expect((await desk.test(id)).body.data).toMatchObject({ status: 'failed', response_status: 0, duration_ms: 0 });
  });

  it('is refused when no slot of the endpoint is free in time', async () => {
    const slow = await Desk.open({ WEBHOOK_TIMEOUT_MS: '3000', WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    slow.receiver.answers('/hanging', hang());
    const { id } = await slow.endpoint('/hanging');
    const first = slow.test(id);
    await slow.receiver.received('/hanging');
    const second = await slow.test(id);
    expect(refusalOf(second)).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(second.headers.get('retry-after')).toBe('1');
    expect((await first).body.data).toMatchObject({ status: 'failed', response_status: 0 });
    await slow.close();
  });

  it('is sent at most 10 times a minute', async () => {
    const { id } = await desk.endpoint('/often');
    for (let i = 0; i < 10; i++) expect((await desk.test(id)).status).toBe(201);
    const reply = await desk.test(id);
    expect(refusalOf(reply)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(reply.headers.get('retry-after')).not.toBeNull();
  });

  it('needs a key', async () => {
    const { id } = await desk.endpoint('/unkeyed');
    const reply = await desk.api.post(`/v1/webhooks/endpoints/${id}/test-events`);
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'idempotency_key_required' });
  });

  it('cannot be replayed', async () => {
    const { id } = await desk.endpoint('/replayed');
    const { delivery_id } = (await desk.test(id)).body.data;
    expect(refusalOf(await desk.replay(delivery_id))).toMatchObject({ status: 422, code: 'attempts_exhausted' });
  });
});

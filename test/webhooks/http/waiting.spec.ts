import type { ApiResponse } from '../../support/api.js';
import { hang, respondWith } from '../../support/receiver-responses.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

const SUBSCRIBED = { event_types: [PUBLISHED_TYPE] };

/** Waits until the record of the endpoint has this reason. Returns what waits. */
function waitForReason(fixture: WebhookFixture, id: string, reason: string): Promise<ApiResponse['body']> {
  return waitFor(async () => {
    const { waiting } = (await fixture.api.get(`/v1/webhooks/endpoints/${id}`)).body.data;
    return waiting?.reason === reason ? waiting : null;
  });
}

describe('The record of an endpoint', () => {
  let fixture: WebhookFixture;
  beforeAll(
    async () =>
      void (fixture = await WebhookFixture.start({
        WEBHOOK_ENDPOINT_CONCURRENCY: '1',
        WEBHOOK_HOST_CONCURRENCY: '2',
        WEBHOOK_TIMEOUT_MS: '3000',
        WEBHOOK_RETRY_SCHEDULE: '3600',
        WEBHOOK_BREAKER_WAITS: '600',
      })),
  );
  afterAll(() => fixture.close());
  const disable = (id: string) => fixture.editEndpoint(id, { status: 'disabled' });

  it('says that nothing waits, also while a retry is due later', async () => {
    fixture.receiver.setResponses('/later', respondWith(500));
    const { id } = await fixture.createEndpoint('/later', SUBSCRIBED);
    await fixture.publish();
    await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    await waitFor(async () =>
      (await fixture.api.get(`/v1/webhooks/endpoints/${id}`)).body.data.waiting === null ? true : null,
    );
    await disable(id);
  });

  it('says how many attempts wait for the rate, and since when, in the list too', async () => {
    const { id } = await fixture.createEndpoint('/rate', { ...SUBSCRIBED, rate_limit_per_second: 1 });
    for (let i = 0; i < 12; i++) await fixture.publish();
    const waiting = await waitForReason(fixture, id, 'rate');
    expect(waiting).toEqual({ count: expect.any(Number), oldest_at: expect.any(String), reason: 'rate' });
    const listed = (await fixture.api.get('/v1/webhooks/endpoints')).body.data;
    expect(listed.find((one: { id: string }) => one.id === id).waiting).toMatchObject({ reason: 'rate' });
    await disable(id);
  });

  it('says that earlier attempts use all slots', async () => {
    fixture.receiver.setResponses('/slow', hang());
    const { id } = await fixture.createEndpoint('/slow', SUBSCRIBED);
    for (let i = 0; i < 4; i++) await fixture.publish();
    expect((await waitForReason(fixture, id, 'backlog')).count).toBeGreaterThan(0);
    await disable(id);
  });

  it('says that the host takes no more', async () => {
    fixture.receiver.setResponses('/host', hang());
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await fixture.createEndpoint('/host', SUBSCRIBED)).id);
    await fixture.publish();
    await waitFor(async () => {
      const { data } = (await fixture.api.get('/v1/webhooks/endpoints?per_page=100')).body;
      return data.some(({ waiting }: ApiResponse['body']) => waiting?.reason === 'host') ? true : null;
    });
    for (const id of ids) await disable(id);
  });

  it('says that the circuit breaker is open', async () => {
    fixture.receiver.setResponses('/broken', respondWith(500));
    const { id } = await fixture.createEndpoint('/broken', SUBSCRIBED);
    for (let i = 0; i < 14; i++) await fixture.publish();
    expect((await waitForReason(fixture, id, 'open_breaker')).count).toBeGreaterThan(0);
  });
});

import { toIso } from '../../../src/kernel/clock.js';
import { hang, respondWith } from '../../support/receiver-responses.js';
import { PUBLISHED_TYPE, toProblem, WebhookFixture } from '../webhook-fixture.js';

describe('The statistics of an endpoint', () => {
  let fixture: WebhookFixture;
  beforeAll(
    async () =>
      void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_TIMEOUT_MS: '2000' })),
  );
  afterAll(() => fixture.close());

  const stats = (id: string, query = '') => fixture.api.get(`/v1/webhooks/endpoints/${id}/stats${query}`);

  it('are zero at first', async () => {
    const { id } = await fixture.createEndpoint('/new', { event_types: ['offer.sent'] });
    expect((await stats(id)).body.data).toEqual({
      attempts: 0,
      successes: 0,
      failures: { client_error: 0, server_error: 0, timeout: 0, network: 0, blocked: 0 },
      duration_ms: { p50: null, p95: null },
      oldest_waiting_at: null,
      tests: { attempts: 0, failures: 0 },
    });
  });

  it('count attempts by their outcome, and tests separately', async () => {
    fixture.receiver.setResponses(
      '/mixed',
      respondWith(200),
      respondWith(404),
      respondWith(503),
      hang(),
      respondWith(200),
    );
    const { id } = await fixture.createEndpoint('/mixed', { event_types: [PUBLISHED_TYPE] });
    for (let i = 1; i <= 5; i++) {
      await fixture.publish();
      await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === i);
    }
    await fixture.sendTestEvent(id);
    fixture.receiver.setResponses('/mixed', respondWith(404));
    await fixture.sendTestEvent(id);
    const { data } = (await stats(id)).body;
    expect(data).toMatchObject({
      attempts: 5,
      successes: 2,
      failures: { client_error: 1, server_error: 1, timeout: 1, network: 0, blocked: 0 },
      tests: { attempts: 2, failures: 1 },
    });
    expect(data.duration_ms.p95).toBeGreaterThanOrEqual(1_990);
    expect(data.duration_ms.p50).toBeLessThan(1_990);

    const { hours } = (await fixture.api.get(`/v1/webhooks/endpoints/${id}/hourly-stats`)).body.data;
    const total = (name: string) => hours.reduce((sum: number, hour: Record<string, number>) => sum + hour[name]!, 0);
    expect([total('attempts'), total('successes')]).toEqual([5, 2]);
    expect(hours.map(({ hour }: { hour: string }) => hour.slice('yyyy-mm-ddThh'.length))).toEqual(
      hours.map(() => ':00:00.000Z'),
    );

    const [oldest] = await fixture.waitForRecords(
      `endpoint_id=${id}&response_status=503`,
      ({ length }) => length === 1,
    );
    expect(Date.parse(oldest.created_at) - Date.parse(data.oldest_waiting_at)).toBeLessThan(1_000);
    expect((await stats(id, `?since=${toIso(Date.now() + 7_200_000)}`)).body.data).toMatchObject({ attempts: 0 });
  });

  it('are not accessible to another business', async () => {
    const { id } = await fixture.createEndpoint('/own', { event_types: ['offer.sent'] });
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    expect((await other.api.get(`/v1/webhooks/endpoints/${id}/stats`)).status).toBe(404);
    expect((await other.api.get(`/v1/webhooks/endpoints/${id}/hourly-stats`)).status).toBe(404);
    expect(toProblem(await stats(id, '?since=lately'))).toEqual({
      status: 400,
      code: 'invalid_parameter',
      params: ['since'],
    });
  });
});

import { respondWith } from '../../support/receiver-responses.js';
import { PUBLISHED_TYPE, toProblem, WebhookFixture } from '../webhook-fixture.js';

describe('The list of deliveries', () => {
  let fixture: WebhookFixture;
  let good: string;
  let bad: string;

  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    fixture.receiver.setResponses('/bad', respondWith(404));
    good = (await fixture.createEndpoint('/good', { event_types: [PUBLISHED_TYPE] })).id;
    bad = (await fixture.createEndpoint('/bad', { event_types: [PUBLISHED_TYPE] })).id;
    for (const name of ['One', 'Two', 'Three']) await fixture.publish(name);
    await fixture.sendTestEvent(good);
    await fixture.waitForRecords('', ({ length }) => length === 7);
  });
  afterAll(() => fixture.close());

  const count = async (query: string) => (await fixture.listDeliveries(query)).body.data.length;

  it('has a record for each attempt', async () => {
    const [record] = (await fixture.listDeliveries(`endpoint_id=${bad}`)).body.data;
    expect(record).toEqual({
      id: expect.stringMatching(/^whd_[0-9a-z]{24}$/),
      object: 'webhook_delivery',
      endpoint: { object: 'webhook_endpoint', id: bad },
      event_id: expect.stringMatching(/^evt_/),
      event_type: PUBLISHED_TYPE,
      event_version: '1',
      status: 'failed',
      response_status: 404,
      failure: { reason: 'client_error', detail: 'The receiver answered with status 404.' },
      attempt: 1,
      max_attempts: 20,
      duration_ms: expect.any(Number),
      test: false,
      delivered_at: null,
      created_at: expect.any(String),
      replayed_from: null,
      replay_job: null,
    });
    expect((await fixture.api.get(`/v1/webhooks/deliveries/${record.id}`)).body.data).toEqual(record);
  });

  it('can be filtered', async () => {
    const [{ event_id, created_at }] = (await fixture.listDeliveries('test=false')).body.data;
    expect(await count(`endpoint_id=${good}`)).toBe(4);
    expect(await count(`endpoint_id=${good}&test=false`)).toBe(3);
    expect(await count(`event_id=${event_id}`)).toBe(2);
    expect(await count(`event_type=webhook.test&event_type=offer.sent`)).toBe(1);
    expect(await count('status=failed&status=abandoned')).toBe(3);
    expect(await count('response_status=404')).toBe(3);
    expect(await count('response_status=2xx')).toBe(4);
    expect(await count('response_status=5xx')).toBe(0);
    expect(await count('response_status=600')).toBe(0);
    expect(await count('replayed_from=whd_1')).toBe(0);
    expect(await count('replay_job_id=whj_1')).toBe(0);
    expect(await count(`created_from=${created_at}&created_to=${created_at.slice(0, 10)}`)).toBeGreaterThanOrEqual(1);
    expect(await count('created_to=2020-01-01')).toBe(0);
  });

  it('is paged with a cursor, newest first', async () => {
    const seen: { id: string; created_at: string }[] = [];
    for (let after = ''; ;) {
      const { data, pagination } = (await fixture.listDeliveries(`limit=3${after}`)).body;
      seen.push(...data);
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      if (!pagination.has_more) break;
      after = `&after=${pagination.next_cursor}`;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(7);
    expect(seen.map(({ created_at }) => created_at)).toEqual(
      seen
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    );
  });

  it.each([
    ['status=lost', 'status'],
    ['response_status=nine', 'response_status'],
    ['event_type=webhook.nothing', 'event_type'],
    ['test=maybe', 'test'],
    ['created_from=yesterday', 'created_from'],
    ['endpoint_id=a&endpoint_id=b', 'endpoint_id'],
    ['statuses=failed', 'statuses'],
    ['limit=0', 'limit'],
    ['after=forged', 'after'],
  ])('refuses %s', async (query, param) =>
    expect(toProblem(await fixture.listDeliveries(query))).toEqual({
      status: 400,
      code: 'invalid_parameter',
      params: [param],
    }),
  );

  it('belongs to one business', async () => {
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    const [{ id }] = (await fixture.listDeliveries()).body.data;
    expect((await other.listDeliveries()).body.data).toEqual([]);
    expect((await other.api.get(`/v1/webhooks/deliveries/${id}`)).status).toBe(404);
    expect((await fixture.api.get('/v1/webhooks/deliveries/whd_unknown')).status).toBe(404);
  });

  it('gives the endpoint the times of its last deliveries', async () => {
    const endpoint = (await fixture.api.get(`/v1/webhooks/endpoints/${bad}`)).body.data;
    expect(endpoint).toMatchObject({ last_success_at: null, last_failure_at: expect.any(String) });
    const { data } = (await fixture.api.get('/v1/webhooks/endpoints')).body;
    expect(data).toContainEqual(
      expect.objectContaining({ id: good, last_success_at: expect.any(String), last_failure_at: null }),
    );
  });
});

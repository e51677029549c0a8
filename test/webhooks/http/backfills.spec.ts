import { hang, repeat, respondWith } from '../../support/receiver-responses.js';
import { BEGINNING, createBackfill, listEventIds, readEventIds } from '../backfill-fixture.js';
import { ReplayFixture } from '../replay-fixture.js';
import { newIdempotencyKey, PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

const PAST = 12;
const QUICK = { WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_REPLAY_RATE: '1000', WEBHOOK_TIMEOUT_MS: '2000' };
const SLOW = { ...QUICK, WEBHOOK_REPLAY_RATE: '2' };

async function startWithPast(environment: Readonly<Record<string, string>>): Promise<ReplayFixture> {
  const fixture = new ReplayFixture(await WebhookFixture.start(environment));
  // Facts of different streams may be published in another order than they were recorded in, so each waits for the one before.
  for (let i = 1; i <= PAST; i++) {
    await fixture.webhooks.publish(`Number ${i}`);
    await waitFor(async () => ((await listEventIds(fixture)).length === i ? true : null));
  }
  return fixture;
}

async function forecast(fixture: ReplayFixture, endpointId: string, body: object = {}) {
  const { status, body: answer } = await fixture.post({
    created_from: BEGINNING,
    scope: 'never_planned',
    endpoint_id: endpointId,
    dry_run: true,
    ...body,
  });
  expect(status).toBe(200);
  return answer.data;
}

describe('A replay job of events that were never planned', () => {
  let fixture: ReplayFixture;
  beforeAll(async () => void (fixture = await startWithPast(QUICK)));
  afterAll(() => fixture.close());

  it('sends each event of the past once to a new endpoint, in the order of the log', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/new');
    const job = await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    expect(job).toMatchObject({
      status: 'completed',
      scope: 'never_planned',
      statuses: [],
      matched: PAST,
      redelivered: PAST,
      succeeded: PAST,
      skipped: 0,
    });
    expect(readEventIds(fixture, '/new')).toEqual(await listEventIds(fixture));

    const records = await fixture.waitForRecords(`replay_job_id=${job.id}`, ({ length }) => length === PAST);
    for (const record of records)
      expect(record).toMatchObject({ attempt: 1, status: 'success', replayed_from: null, replay_job: { id: job.id } });

    const again = await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    expect(again).toMatchObject({ status: 'completed', matched: 0, redelivered: 0 });
    expect(fixture.receiver.requestsFor('/new')).toHaveLength(PAST);
  });

  it('is counted by type in a dry run, which plans nothing', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/counted', { event_types: ['product.*'] });
    const counts = { [PUBLISHED_TYPE]: PAST };
    const expected = { id: null, matched: PAST, matched_by_type: counts, redelivered: PAST, skipped: 0 };
    expect(await forecast(fixture, endpointId)).toMatchObject(expected);
    expect(await forecast(fixture, endpointId)).toMatchObject(expected);
    expect(await forecast(fixture, endpointId, { event_types: ['product.approved'] })).toMatchObject({ matched: 0 });

    await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    await fixture.waitForRecords(`endpoint_id=${endpointId}`, ({ length }) => length === PAST);
    expect(await forecast(fixture, endpointId)).toMatchObject({ matched: 0, matched_by_type: {} });
    const latest = await fixture.webhooks.api.get(`/v1/webhooks/events?event_type=${PUBLISHED_TYPE}&limit=1`);
    const window = { created_to: latest.body.data[0].occurred_at };
    expect(await forecast(fixture, endpointId, window)).toMatchObject({ matched: 0, matched_by_type: {} });
  });

  it('selects by the time and the type of the events', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/chosen', { event_types: ['product.*', 'offer.sent'] });
    const events = await fixture.webhooks.api.get(`/v1/webhooks/events?event_type=${PUBLISHED_TYPE}&limit=100`);
    const [first, second, third] = events.body.data.reverse();
    const window = { created_from: second.occurred_at, created_to: third.occurred_at };
    expect(await forecast(fixture, endpointId, window)).toMatchObject({ matched: 2 });
    expect(await forecast(fixture, endpointId, { created_to: first.occurred_at })).toMatchObject({ matched: 1 });

    const others = await createBackfill(fixture, endpointId, { event_types: ['offer.*'] });
    expect(await fixture.waitForEnd(others)).toMatchObject({ matched: 0 });
    const chosen = await createBackfill(fixture, endpointId, { ...window, event_types: ['product.*'] });
    expect(await fixture.waitForEnd(chosen)).toMatchObject({ matched: 2, succeeded: 2 });
    expect(readEventIds(fixture, '/chosen')).toEqual([second.id, third.id]);
    expect(await forecast(fixture, endpointId)).toMatchObject({ matched: PAST - 2 });
  });

  it('sends the events that a disabled endpoint missed, and those before a subscription', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/returned', { event_types: ['offer.sent'] });
    await fixture.webhooks.editEndpoint(endpointId, { status: 'disabled', event_types: [PUBLISHED_TYPE] });
    await fixture.webhooks.publish('While disabled');
    const missed = { scope: 'failed', include_missed: true };
    while ((await forecast(fixture, endpointId, missed)).matched === 0) await fixture.webhooks.listDeliveries();
    expect(await forecast(fixture, endpointId)).toMatchObject({
      matched: PAST + 1,
      redelivered: 0,
      skipped: PAST + 1,
      skipped_reasons: { endpoint_disabled: PAST + 1 },
    });
    expect(await fixture.waitForEnd(await createBackfill(fixture, endpointId))).toMatchObject({
      status: 'failed',
      error: 'endpoint_disabled',
      matched: 0,
    });

    await fixture.webhooks.editEndpoint(endpointId, { status: 'enabled' });
    const job = await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    expect(job).toMatchObject({ status: 'completed', matched: PAST + 1, succeeded: PAST + 1 });
    expect(readEventIds(fixture, '/returned')).toEqual(await listEventIds(fixture));
    expect(await forecast(fixture, endpointId, missed)).toMatchObject({ matched: 0 });
  });

  it('does not send an event again that was sent when it was recorded', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/live');
    await fixture.webhooks.publish('Sent at once');
    await fixture.receiver.waitForRequests('/live', 1);
    await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    const ids = readEventIds(fixture, '/live');
    expect([...ids].sort()).toEqual([...(await listEventIds(fixture))].sort());
  });

  it('retries a failed event by the schedule, which is no part of the job', async () => {
    fixture.receiver.setResponses('/broken', respondWith(500));
    const { id: endpointId } = await fixture.createEndpoint('/broken');
    const [firstId] = await listEventIds(fixture);
    const { body } = await fixture.webhooks.api.get(`/v1/webhooks/events/${firstId}`);
    const job = await createBackfill(fixture, endpointId, { created_to: body.data.occurred_at });
    expect(await fixture.waitForEnd(job)).toMatchObject({ matched: 1, redelivered: 1, succeeded: 0, failed: 1 });
    const [record] = await fixture.waitForRecords(`endpoint_id=${endpointId}`, ({ length }) => length === 1);
    const { body: chain } = await fixture.webhooks.api.get(`/v1/webhooks/deliveries/${record.id}/attempts`);
    expect(chain.data).toMatchObject({
      attempts: [{ requested_by: { type: 'api_key' } }],
      next_attempt_at: expect.any(String),
    });
  });

  it('is created once under one idempotency key', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/keyed');
    const body = { created_from: BEGINNING, scope: 'never_planned', endpoint_id: endpointId };
    const key = newIdempotencyKey();
    const [first, second] = [await fixture.post(body, key), await fixture.post(body, key)];
    expect(second.text).toBe(first.text);
    await fixture.waitForEnd(first.body.data);
    expect(fixture.receiver.requestsFor('/keyed')).toHaveLength((await listEventIds(fixture)).length);
  });
});

describe('A slow replay job of events that were never planned', () => {
  let fixture: ReplayFixture;
  beforeAll(async () => void (fixture = await startWithPast(SLOW)));
  afterAll(() => fixture.close());

  it('lets new events precede it', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/both');
    const job = await createBackfill(fixture, endpointId);
    await fixture.receiver.waitForRequests('/both', 1);
    const { id } = await fixture.webhooks.publish('New');
    await fixture.receiver.waitUntil(() => fixture.receiver.requestsFor('/both').some(({ body }) => body.includes(id)));
    expect(fixture.receiver.requestsFor('/both').length).toBeLessThan(PAST);
    expect(await fixture.retrieve(job)).toMatchObject({ status: 'running' });
    await fixture.cancel(job);
    await fixture.waitForEnd(job);
  });

  it('is cancelled at once, and a second job sends exactly what the first has left', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/cancelled');
    const job = await createBackfill(fixture, endpointId);
    await fixture.receiver.waitForRequests('/cancelled', 2);
    expect((await fixture.cancel(job)).body.data.status).toBe('cancelling');
    const cancelled = await fixture.waitForEnd(job);
    expect(cancelled.status).toBe('cancelled');
    expect(cancelled.redelivered + cancelled.skipped).toBe(cancelled.matched);
    expect(cancelled.skipped_reasons).toEqual({ cancelled: cancelled.skipped });
    expect(cancelled.redelivered).toBeLessThan(PAST);

    await fixture.webhooks.editEndpoint(endpointId, { url: fixture.receiver.url('/moved') });
    const second = await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    expect(second).toMatchObject({ status: 'completed' });
    const ids = [...readEventIds(fixture, '/cancelled'), ...readEventIds(fixture, '/moved')];
    expect(ids).toEqual([...new Set(ids)]);
    expect([...ids].sort()).toEqual([...(await listEventIds(fixture))].sort());
  });

  it.each([
    ['disabled', (endpointId: string) => fixture.webhooks.editEndpoint(endpointId, { status: 'disabled' })],
    ['deleted', (endpointId: string) => fixture.webhooks.api.delete(`/v1/webhooks/endpoints/${endpointId}`)],
  ])('fails when its endpoint is %s', async (status, change) => {
    const { id: endpointId } = await fixture.createEndpoint(`/${status}`);
    const job = await createBackfill(fixture, endpointId);
    await fixture.receiver.waitForRequests(`/${status}`, 1);
    await change(endpointId);
    expect(await fixture.waitForEnd(job)).toMatchObject({ status: 'failed', error: 'endpoint_disabled' });
    const ended = await fixture.waitUntil(
      job,
      ({ matched, redelivered, skipped }) => matched === redelivered + skipped,
    );
    expect(ended.redelivered).toBeLessThan(PAST);
    expect(fixture.receiver.requestsFor(`/${status}`)).toHaveLength(ended.redelivered);
  });

  it('sends to the new URL after a change, and is refused beside another job', async () => {
    const { id: endpointId } = await fixture.createEndpoint('/before');
    fixture.receiver.setResponses('/before', respondWith(200), hang());
    const job = await createBackfill(fixture, endpointId);
    await fixture.receiver.waitForRequests('/before', 1);
    const second = await fixture.post({ created_from: BEGINNING, scope: 'never_planned', endpoint_id: endpointId });
    expect([second.status, second.body.code]).toEqual([409, 'replay_job_conflict']);
    await fixture.webhooks.editEndpoint(endpointId, { url: fixture.receiver.url('/after') });
    await fixture.waitForEnd(job);
    const ids = [...readEventIds(fixture, '/before'), ...readEventIds(fixture, '/after')];
    expect(ids).toEqual(await listEventIds(fixture));
  });
});

describe('A replay job of events that were never planned, to an endpoint that fails', () => {
  it('waits for the circuit breaker, and sends the rest after the next success', async () => {
    const fixture = await startWithPast({ ...QUICK, WEBHOOK_BREAKER_WAITS: '1', WEBHOOK_ENDPOINT_CONCURRENCY: '2' });
    fixture.receiver.setResponses('/fails', ...repeat(10, respondWith(500)), respondWith(200));
    const { id: endpointId } = await fixture.createEndpoint('/fails');
    const job = await fixture.waitForEnd(await createBackfill(fixture, endpointId));
    expect(job).toMatchObject({
      status: 'completed',
      matched: PAST,
      redelivered: PAST,
      failed: 10,
      succeeded: PAST - 10,
    });
    const ids = readEventIds(fixture, '/fails');
    expect([...new Set(ids)].sort()).toEqual([...(await listEventIds(fixture))].sort());
    await fixture.close();
  });
});

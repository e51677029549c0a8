import { Webhook } from 'standardwebhooks';
import { Jobs } from '../../../src/kernel/jobs.js';
import { DeliverAttempts } from '../../../src/webhooks/processes/deliver-attempts.js';
import {
  drip,
  hang,
  redirect,
  reset,
  respondWith,
  sendGzipBomb,
  sendLargeBody,
} from '../../support/receiver-responses.js';
import { leaveAttemptOpen } from '../open-attempts.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

const ENDED = ['success', 'failed', 'abandoned'];

describe('The delivery of events', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '0.1,0.1,0.1' })));
  afterAll(() => fixture.close());

  it('sends the resource as it was to every subscribed endpoint', async () => {
    const [all, some, none] = [
      await fixture.createEndpoint('/all'),
      await fixture.createEndpoint('/some', { event_types: ['offer.sent', PUBLISHED_TYPE] }),
      await fixture.createEndpoint('/none', { event_types: ['offer.sent'] }),
    ];
    const product = await fixture.publish('A course for Größe 7');
    const [sent] = await fixture.receiver.waitForRequests('/some');
    await fixture.receiver.waitForRequests('/all');

    const envelope = new Webhook(some.signing_secret).verify(sent!.body, sent!.headers as Record<string, string>);
    expect(envelope).toMatchObject({ type: PUBLISHED_TYPE, version: '1', attempt: 1, test: false, data: product });
    expect(JSON.stringify(envelope)).not.toContain('"_');
    expect(fixture.receiver.requestsFor('/none')).toEqual([]);
    for (const { id } of [all, none]) await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);
  });

  it('repeats failed attempts by the schedule, numbers them without gaps, and abandons the last one', async () => {
    fixture.receiver.setResponses('/failing', respondWith(503));
    const { id } = await fixture.createEndpoint('/failing', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const records = await fixture.waitForRecords(`endpoint_id=${id}`, (all) => all.at(-1)?.status === 'abandoned');
    expect(records.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'failed'],
      [4, 'abandoned'],
    ]);
    const sent = fixture.receiver.requestsFor('/failing').map(({ body }) => JSON.parse(body));
    expect(sent.map(({ delivery_id }) => delivery_id)).toEqual(records.map((record) => record.id));
    expect(new Set(sent.map(({ occurred_at }) => occurred_at)).size).toBe(1);
    expect(new Set(sent.map(({ created_at }) => created_at)).size).toBe(4);
    expect(new Set(sent.map(({ id: eventId }) => eventId)).size).toBe(1);
  });

  it('never repeats an attempt after a 4xx status', async () => {
    fixture.receiver.setResponses('/gone', respondWith(429, { 'retry-after': '0' }));
    const { id } = await fixture.createEndpoint('/gone', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const [record] = await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    expect(await fixture.readChain(record.id)).toMatchObject({ status: 'ended', attempts: 1 });
  });

  it('limits the rate to that of the owner from the first attempt on', async () => {
    const { id } = await fixture.createEndpoint('/slow', { event_types: [PUBLISHED_TYPE], rate_limit_per_second: 1 });
    const publishedAt = Date.now();
    await Promise.all([fixture.publish(), fixture.publish(), fixture.publish()]);
    const records = await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 3);
    const [, second, third] = records.map(({ created_at }) => Date.parse(created_at) - publishedAt);
    expect(second).toBeGreaterThan(900);
    expect(third).toBeGreaterThan(1_900);
  });

  it('records events as missed while the endpoint is disabled', async () => {
    const { id } = await fixture.createEndpoint('/missed', { event_types: [PUBLISHED_TYPE], status: 'disabled' });
    const { id: witness } = await fixture.createEndpoint('/witness', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    const [record] = await fixture.waitForRecords(`endpoint_id=${witness}`, ({ length }) => length === 1);
    expect((await fixture.listDeliveries(`endpoint_id=${id}&event_id=${record.event_id}`)).body.data).toEqual([]);
    expect(fixture.receiver.requestsFor('/missed')).toEqual([]);
  });

  it('abandons waiting retries when the endpoint is disabled, also if it is enabled again', async () => {
    const patient = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600' });
    patient.receiver.setResponses('/waiting', respondWith(500));
    const { id } = await patient.createEndpoint('/waiting');
    await Promise.all([patient.publish(), patient.publish(), patient.publish()]);
    await patient.waitForRecords('status=failed', ({ length }) => length === 3);
    await patient.editEndpoint(id, { status: 'disabled' });
    await patient.editEndpoint(id, { status: 'enabled' });
    await patient.waitForRecords('status=abandoned', ({ length }) => length === 3);
    await patient.close();
  });

  it('ends every delivery in a state of the contract', async () => {
    const records = await fixture.waitForRecords('limit=100', (all) =>
      all.every((record) => ENDED.includes(record.status)),
    );
    expect(records.length).toBeGreaterThan(0);
  });

  it('ends an attempt of a dead process as lost and repeats it at once', async () => {
    const job = await leaveAttemptOpen(
      fixture,
      (await fixture.createEndpoint('/lost', { event_types: ['offer.sent'] })).id,
    );
    const [first] = fixture.service.get(DeliverAttempts).handlers;
    await first!.run({ ...job, attempt: 2 });

    const records = await fixture.waitForRecords(`event_id=${job.eventId}`, ({ length }) => length === 2);
    expect(records.map(({ attempt, status, response_status }) => [attempt, status, response_status])).toEqual([
      [1, 'failed', null],
      [2, 'success', 200],
    ]);
    expect(fixture.receiver.requestsFor('/lost')).toHaveLength(1);
  });

  it('leaves an open attempt to the process that sends it', async () => {
    const job = await leaveAttemptOpen(
      fixture,
      (await fixture.createEndpoint('/left', { event_types: ['offer.sent'] })).id,
    );
    const [first] = fixture.service.get(DeliverAttempts).handlers;
    expect(await first!.run({ ...job, key: 'attempt:another:1', attempt: 2 })).toMatchObject({
      reason: 'another attempt is open',
    });
    expect(fixture.receiver.requestsFor('/left')).toEqual([]);
  });
});

describe('A receiver that misbehaves', () => {
  it('slows no other receiver', async () => {
    const fixture = await WebhookFixture.start({
      WEBHOOK_TIMEOUT_MS: '8000',
      WEBHOOK_ENDPOINT_CONCURRENCY: '2',
      WEBHOOK_RETRY_SCHEDULE: '60',
    });
    const bad = {
      hang: hang(),
      drip: drip(50),
      redirect: redirect('/elsewhere'),
      reset: reset(),
      huge: sendLargeBody(),
      bomb: sendGzipBomb(),
    };
    for (const [path, answer] of Object.entries(bad)) {
      fixture.receiver.setResponses(`/${path}`, answer);
      await fixture.createEndpoint(`/${path}`, { event_types: [PUBLISHED_TYPE] });
    }
    await fixture.createEndpoint('/healthy', { event_types: [PUBLISHED_TYPE] });
    const endpointAt = async (path: string) =>
      (await fixture.api.get('/v1/webhooks/endpoints')).body.data.find(({ url }: { url: string }) =>
        url.endsWith(path),
      );

    await Promise.all(Array.from({ length: 10 }, () => fixture.publish()));
    await fixture.receiver.waitForRequests('/healthy', 10);
    expect(await endpointAt('/hang')).toMatchObject({ last_failure_at: null });

    expect(fixture.receiver.requestsFor('/elsewhere')).toEqual([]);
    const outcome = async (path: string) => {
      const { id } = await endpointAt(path);
      return waitFor(async () => (await fixture.listDeliveries(`endpoint_id=${id}`)).body.data[0] ?? null, 20_000);
    };
    expect(await outcome('/hang')).toMatchObject({ status: 'failed', response_status: null });
    expect(await outcome('/drip')).toMatchObject({ status: 'failed', response_status: null });
    expect(await outcome('/redirect')).toMatchObject({ status: 'failed', response_status: 302 });
    expect(await outcome('/reset')).toMatchObject({ status: 'failed', response_status: null });
    expect(await outcome('/huge')).toMatchObject({ status: 'success', response_status: 200 });
    expect(await outcome('/bomb')).toMatchObject({ status: 'success', response_status: 200 });
    await fixture.close();
  });
});

describe('The job of a delivery', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600' })));
  afterAll(() => fixture.close());

  const nextDue = (queue: string) => fixture.service.get(Jobs).findNextDue(queue);

  it('does not exist for a first attempt that gets a response soon', async () => {
    const { id } = await fixture.createEndpoint('/soon', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    await fixture.waitForRecords(`endpoint_id=${id}`, ({ length }) => length === 1);
    expect(await nextDue('deliveries')).toBeNull();
    expect(await nextDue('delivery-retries')).toBeNull();
    await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);
  });

  it('exists for a slow first attempt, and sends no second request', async () => {
    fixture.receiver.setResponses('/silent', hang());
    const { id } = await fixture.createEndpoint('/silent', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    expect(await waitFor(() => nextDue('deliveries'))).not.toBeNull();
    expect(fixture.receiver.requestsFor('/silent')).toHaveLength(1);
    await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);
  });

  it('exists for the next attempt', async () => {
    fixture.receiver.setResponses('/again', respondWith(503));
    await fixture.createEndpoint('/again', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    expect(await waitFor(() => nextDue('delivery-retries'))).not.toBeNull();
  });
});

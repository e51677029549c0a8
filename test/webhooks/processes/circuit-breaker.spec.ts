import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { CircuitBreakers } from '../../../src/webhooks/delivery/circuit-breakers.js';
import { endpointHealth } from '../../../src/webhooks/projections/endpoint-health.js';
import { respondWith } from '../../support/receiver-responses.js';
import { seedFailures } from '../seed-failures.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

const WAIT_SECONDS = 1;
/** The receiver and the service round times separately. */
const CLOCK_STEP_MS = 20;
const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_BREAKER_WAITS: String(WAIT_SECONDS) };

/** Creates an endpoint and trips its breaker. Events from just before its creation may count too. */
async function createTripped(fixture: WebhookFixture, path: string): Promise<{ readonly id: string }> {
  fixture.receiver.setResponses(path, respondWith(500));
  const { id } = await fixture.createEndpoint(path, { event_types: [PUBLISHED_TYPE] });
  for (let i = 0; i < 10; i++) await fixture.publish();
  await fixture.waitForRecords(`endpoint_id=${id}&status=failed`, ({ length }) => length >= 10);
  return { id };
}

describe('An endpoint that has failed ten times in a row', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start(SETTINGS)));
  afterAll(() => fixture.close());

  it('gets one attempt after a pause, and all waiting attempts after the success of that one', async () => {
    const { id } = await createTripped(fixture, '/tripped');
    const failed = fixture.receiver.requestsFor('/tripped');
    fixture.receiver.setResponses('/tripped', respondWith(200));
    for (let i = 0; i < 3; i++) await fixture.publish();
    const records = await fixture.waitForRecords(`endpoint_id=${id}&status=success`, ({ length }) => length >= 3);
    expect(new Set(records.map(({ attempt }) => attempt))).toEqual(new Set([1]));
    // The pause starts after the last failure, which the records show later.
    const probe = fixture.receiver.requestsFor('/tripped')[failed.length];
    expect(probe!.receivedAt - failed.at(-1)!.receivedAt).toBeGreaterThanOrEqual(WAIT_SECONDS * 1_000 - CLOCK_STEP_MS);
  });

  it('gets another first attempt when the one after the pause was not sent', async () => {
    const { id } = await createTripped(fixture, '/unsent');
    const breakers = fixture.service.get(CircuitBreakers);
    const admitted = await waitFor(async () => {
      const pass = await breakers.admit(id);
      return pass.waitMs === 0 ? pass : null;
    });
    expect((await breakers.admit(id)).waitMs).toBeGreaterThan(0);
    admitted.end();
    expect((await breakers.admit(id)).waitMs).toBe(0);
  });

  it('reports since when attempts wait', async () => {
    const { id } = await createTripped(fixture, '/waiting');
    await fixture.publish();
    const { oldest_waiting_at } = await waitFor(async () => {
      const { data } = (await fixture.api.get(`/v1/webhooks/endpoints/${id}/stats`)).body;
      return data.oldest_waiting_at === null ? null : data;
    });
    expect(Date.now() - Date.parse(oldest_waiting_at)).toBeLessThan(60_000);
  });

  it('still gets tests and replays', async () => {
    const { id } = await createTripped(fixture, '/tested');
    expect((await fixture.sendTestEvent(id)).status).toBe(201);
    const [{ id: deliveryId }] = (await fixture.listDeliveries(`endpoint_id=${id}&test=false`)).body.data;
    expect((await fixture.replayDelivery(deliveryId)).body.data).toMatchObject({ attempt: 2 });
  });
});

describe('An endpoint whose circuit breaker stays open', () => {
  it('misses the waiting attempts when it is disabled', async () => {
    const fixture = await WebhookFixture.start({ ...SETTINGS, WEBHOOK_BREAKER_WAITS: '600' });
    const { id } = await createTripped(fixture, '/given-up');
    const readWaiting = async () => (await fixture.api.get(`/v1/webhooks/endpoints/${id}`)).body.data.waiting;
    for (let i = 0; i < 3; i++) await fixture.publish('Waiting');
    await waitFor(async () => ((await readWaiting())?.count >= 3 ? true : null));
    await fixture.editEndpoint(id, { status: 'disabled' });
    await waitFor(async () => ((await readWaiting()) === null ? true : null));
    expect(fixture.receiver.requestsFor('/given-up').filter(({ body }) => body.includes('Waiting'))).toEqual([]);
    await fixture.close();
  });
});

describe('An endpoint whose attempts failed in another process', () => {
  it('stops getting attempts after the circuit breaker has read these failures', async () => {
    const fixture = await WebhookFixture.start({ ...SETTINGS, WEBHOOK_BREAKER_WAITS: '600' });
    fixture.receiver.setResponses('/elsewhere', respondWith(500));
    const { id } = await fixture.createEndpoint('/elsewhere', { event_types: [PUBLISHED_TYPE] });
    await seedFailures(fixture, id, { hours: 0, times: 10 });
    await fixture.service
      .get(ReadModelReader)
      .requirePosition(endpointHealth, await fixture.service.get(EventStore).readHead());
    const published = await waitFor(async () => {
      await fixture.publish();
      const { data } = (await fixture.api.get('/v1/webhooks/events?limit=100')).body;
      return data.length > fixture.receiver.requestsFor('/elsewhere').length + 1 ? data.length : null;
    });
    expect(fixture.receiver.requestsFor('/elsewhere').length).toBeLessThan(10);
    expect(published).toBeLessThan(20);
    await fixture.close();
  });
});

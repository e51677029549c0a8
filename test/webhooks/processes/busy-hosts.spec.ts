import { setTimeout as delay } from 'node:timers/promises';
import { EventStore } from '../../../src/kernel/event-store.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { respondWith } from '../../support/receiver-responses.js';
import { newIdempotencyKey, PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

const ENDPOINTS = 100;
const EVENTS = 4;
const DELIVERIES = ENDPOINTS * EVENTS;
const CONCURRENCY = 5;
const RESPONSE_MS = 5;

describe('A host with fewer slots than attempts', () => {
  let fixture: WebhookFixture;
  let [open, mostOpen] = [0, 0];
  const hosts = (environment: object) => ({
    WEBHOOK_HOST_CONCURRENCY: String(CONCURRENCY),
    WEBHOOK_ENDPOINT_LIMIT: String(ENDPOINTS),
    ...environment,
  });
  afterEach(() => fixture.close());

  /** Responds after a while, and counts the open requests. The first responses wait until every slot is in use. */
  function respondSlowly(): void {
    [open, mostOpen] = [0, 0];
    const allInUse = Promise.withResolvers<void>();
    for (let i = 0; i < ENDPOINTS; i++)
      fixture.receiver.setResponses(`/${i}`, (request, response) => {
        mostOpen = Math.max(mostOpen, ++open);
        if (open === CONCURRENCY) allInUse.resolve();
        void Promise.all([allInUse.promise, delay(RESPONSE_MS)]).then(() => {
          open--;
          respondWith(200)(request, response);
        });
      });
  }

  async function createEndpoints(): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < ENDPOINTS; i++)
      ids.push((await fixture.createEndpoint(`/${i}`, { event_types: [PUBLISHED_TYPE] })).id);
    return ids;
  }

  /** Returns the ends of all attempts once each delivery has one. */
  const waitForEnds = () =>
    waitFor(async () => {
      const log = await readWholeLog(fixture.service.get(EventStore));
      const ends = log.filter(({ type }) => ['AttemptSucceeded', 'AttemptFailed', 'AttemptLost'].includes(type));
      return ends.length >= DELIVERIES ? { log, ends } : null;
    }, 60_000);

  it('gets each event once, on the first attempt, in the order of the events', async () => {
    fixture = await WebhookFixture.start(hosts({ WEBHOOK_ENDPOINT_CONCURRENCY: '1' }));
    respondSlowly();
    const endpoints = await createEndpoints();
    await Promise.all(Array.from({ length: EVENTS }, (_, i) => fixture.publish(`Course ${i}`)));
    const { log, ends } = await waitForEnds();

    expect(ends.map(({ type }) => type)).toEqual(Array(DELIVERIES).fill('AttemptSucceeded'));
    expect(new Set(ends.map(({ data }) => (data as { attempt: number }).attempt))).toEqual(new Set([1]));
    expect(mostOpen).toBe(CONCURRENCY);
    const eventIdsOf = (type: string, endpointId: string | null) =>
      log
        .filter((event) => event.type === type && (event.data as { type?: string }).type !== 'api_key.created')
        .map(({ data }) => data as { eventId: string; endpointId?: string })
        .filter((data) => endpointId === null || data.endpointId === endpointId)
        .map(({ eventId }) => eventId);
    const published = eventIdsOf('PublicEventRecorded', null);
    for (const id of endpoints) expect(eventIdsOf('AttemptSucceeded', id)).toEqual(published);
  }, 90_000);

  it('tells nothing of the wait in a delivery record, and refuses a test event that gets no slot within a second', async () => {
    fixture = await WebhookFixture.start(hosts({ WEBHOOK_HOST_CONCURRENCY: '1' }));
    const pending: (() => void)[] = [];
    fixture.receiver.setResponses('/held', (request, response) =>
      pending.push(() => respondWith(200)(request, response)),
    );
    const [held, waiting] = [
      await fixture.createEndpoint('/held', { event_types: ['offer.sent'] }),
      await fixture.createEndpoint('/waiting', { event_types: [PUBLISHED_TYPE] }),
    ];
    const first = fixture.sendTestEvent(held.id);
    await fixture.receiver.waitForRequests('/held');
    await fixture.publish();
    const refused = await fixture.sendTestEvent(waiting.id, newIdempotencyKey());
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      expect.any(String),
    ]);
    expect(fixture.receiver.requestsFor('/waiting')).toEqual([]);
    pending.forEach((respond) => respond());
    expect(requireData(await first)).toMatchObject({ status: 'success' });

    await fixture.receiver.waitForRequests('/waiting');
    const isDelivered = (records: readonly ApiResponse['body'][]) => records.length === 1;
    const [record] = await fixture.waitForRecords(`endpoint_id=${waiting.id}`, isDelivered);
    expect(record).toMatchObject({ status: 'success', attempt: 1, failure: null });
  });

  it('starts no attempt above its rate, and delivers every event on the first attempt', async () => {
    fixture = await WebhookFixture.start(hosts({ WEBHOOK_HOST_CONCURRENCY: '100', WEBHOOK_HOST_RATE: '200' }));
    respondSlowly();
    await createEndpoints();
    const publishedAt = Date.now();
    await Promise.all(Array.from({ length: EVENTS }, (_, i) => fixture.publish(`Course ${i}`)));
    const { ends } = await waitForEnds();

    expect(ends.map(({ type }) => type)).toEqual(Array(DELIVERIES).fill('AttemptSucceeded'));
    const starts = ends.map(({ data }) => Date.parse((data as { startedAt: string }).startedAt)).sort((a, b) => a - b);
    const fastest = Math.min(...starts.slice(200).map((at, i) => at - starts[i]!));
    expect(starts[200]! - publishedAt).toBeGreaterThan(900);
    // A busy process stamps a start some time after its slot. The specs of the limiter hold the exact rate.
    expect(fastest).toBeGreaterThan(500);
  }, 90_000);
});

import { Streams } from '../../../src/engine/streams/streams.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import { deliveryChainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import type { PublicEvent, PublicEventFact } from '../../../src/webhooks/domain/public-event.js';
import { PlanDeliveryChains } from '../../../src/webhooks/processes/plan-delivery-chains.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from '../webhook-fixture.js';

describe('The planning of delivery chains', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.close());

  async function readRecordedEvents() {
    const { events } = await fixture.service
      .get(EventStore)
      .readAll({ filter: { prefixes: ['publicEvent-'] }, limit: 1_000 });
    return events as RecordedOf<PublicEventFact>[];
  }

  async function findChainTo({ occurredAt, eventId }: PublicEvent, endpointId: string) {
    return fixture.service
      .get(Streams)
      .loadState(deliveryChainDecider, deliveryChainIdOf(occurredAt, eventId, endpointId));
  }

  it('records every public event for every matching endpoint', async () => {
    const enabled = await fixture.createEndpoint('/enabled', { event_types: [PUBLISHED_TYPE] });
    const disabled = await fixture.createEndpoint('/disabled', { event_types: ['*'], status: 'disabled' });
    const other = await fixture.createEndpoint('/other', { event_types: ['offer.sent'] });
    const products = await Promise.all(Array.from({ length: 10 }, () => fixture.publish()));
    await fixture.waitForRecords(`endpoint_id=${enabled.id}`, ({ length }) => length === products.length);

    for (const { data } of await readRecordedEvents()) {
      if (data.type !== PUBLISHED_TYPE) continue;
      expect(await findChainTo(data, enabled.id)).toMatchObject({ status: 'ended', attempts: 1 });
      expect(await waitFor(async () => (await findChainTo(data, disabled.id)).status)).toBe('missed');
      expect(await findChainTo(data, other.id)).toEqual({ status: 'unknown' });
    }
  });

  it('includes an endpoint that was created just before', async () => {
    for (let i = 0; i < 5; i++) {
      await fixture.createEndpoint(`/moment-${i}`, { event_types: [PUBLISHED_TYPE] });
      await fixture.publish();
      await fixture.receiver.waitForRequests(`/moment-${i}`);
    }
  });

  it('plans nothing again when it runs again', async () => {
    await fixture.createEndpoint('/twice', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    await fixture.receiver.waitForRequests('/twice');
    const last = (await readRecordedEvents()).at(-1)!;
    await fixture.service.get(PlanDeliveryChains).react(last);
    const { id } = await fixture.createEndpoint('/after', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    await fixture.waitForRecords(`endpoint_id=${id}`, ([record]) => record?.status === 'success');
    expect(
      fixture.receiver
        .requestsFor('/twice')
        .filter(({ headers }) => headers['x-service-event-id'] === last.data.eventId),
    ).toHaveLength(1);
  });

  it('separates businesses and modes', async () => {
    const other = await WebhookFixture.addBusiness(fixture.service, fixture.receiver);
    await other.createEndpoint('/foreign');
    const inTest = fixture.service.createApi(await fixture.service.createKey(fixture.business, { mode: 'test' }));
    await inTest.post('/v1/webhooks/endpoints', { url: fixture.receiver.url('/test-mode') });
    await fixture.createEndpoint('/mine', { event_types: [PUBLISHED_TYPE] });
    await fixture.publish();
    await fixture.receiver.waitForRequests('/mine');
    await inTest.post('/v1/commerce/products', { name: 'In test mode' });
    await fixture.receiver.waitForRequests('/test-mode');
    expect(fixture.receiver.requestsFor('/foreign')).toEqual([]);
    expect(fixture.receiver.requestsFor('/test-mode')).toHaveLength(1);
    expect(fixture.receiver.requestsFor('/mine')).toHaveLength(1);
  });
});

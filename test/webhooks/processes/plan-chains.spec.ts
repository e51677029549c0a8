import { Streams } from '../../../src/engine/streams/streams.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { chain } from '../../../src/webhooks/domain/chain.js';
import { chainIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import type { PublicEvent } from '../../../src/webhooks/domain/public-event.js';
import { PlanChains } from '../../../src/webhooks/processes/plan-chains.js';
import { Desk, eventually, OCCURRENCE } from '../desk.js';

describe('The planning of delivery chains', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open()));
  afterAll(() => desk.close());

  async function recordedEvents() {
    const { events } = await desk.service.get(EventStore).readAll({ filter: { prefixes: ['publicEvent-'] }, limit: 1_000 });
    return events as Recorded<string, PublicEvent>[];
  }

  async function chainTo({ occurredAt, eventId }: PublicEvent, endpointId: string) {
    return desk.service.get(Streams).state(chain, chainIdOf(occurredAt, eventId, endpointId));
  }

  it('records every public event for every matching endpoint', async () => {
    const enabled = await desk.endpoint('/enabled', { event_types: [OCCURRENCE] });
    const disabled = await desk.endpoint('/disabled', { event_types: ['*'], status: 'disabled' });
    const other = await desk.endpoint('/other', { event_types: ['offer.sent'] });
    const products = await Promise.all(Array.from({ length: 10 }, () => desk.occur()));
    await desk.records(`endpoint_id=${enabled.id}`, ({ length }) => length === products.length);

    for (const { data } of await recordedEvents()) {
      expect(await chainTo(data, enabled.id)).toMatchObject({ status: 'ended', attempts: 1 });
      expect(await eventually(async () => (await chainTo(data, disabled.id)).status)).toBe('missed');
      expect(await chainTo(data, other.id)).toEqual({ status: 'unknown' });
    }
  });

  it('includes an endpoint that was created just before', async () => {
    for (let i = 0; i < 5; i++) {
      await desk.endpoint(`/moment-${i}`, { event_types: [OCCURRENCE] });
      await desk.occur();
      await desk.receiver.received(`/moment-${i}`);
    }
  });

  it('plans nothing again when it runs again', async () => {
    await desk.endpoint('/twice', { event_types: [OCCURRENCE] });
    await desk.occur();
    await desk.receiver.received('/twice');
    const last = (await recordedEvents()).at(-1)!;
    await desk.service.get(PlanChains).react(last);
    const { id } = await desk.endpoint('/after', { event_types: [OCCURRENCE] });
    await desk.occur();
    await desk.records(`endpoint_id=${id}`, ([record]) => record?.status === 'success');
    expect(desk.receiver.at('/twice').filter(({ headers }) => headers['x-service-event-id'] === last.data.eventId)).toHaveLength(1);
  });

  it('separates businesses and modes', async () => {
    const other = await Desk.in(desk.service, desk.receiver);
    await other.endpoint('/foreign');
    const inTest = desk.service.api(await desk.service.key(desk.business, { mode: 'test' }));
    await inTest.post('/v1/webhooks/endpoints', { url: desk.receiver.url('/test-mode') });
    await desk.endpoint('/mine', { event_types: [OCCURRENCE] });
    await desk.occur();
    await desk.receiver.received('/mine');
    await inTest.post('/v1/commerce/products', { name: 'In test mode' });
    await desk.receiver.received('/test-mode');
    expect(desk.receiver.at('/foreign')).toEqual([]);
    expect(desk.receiver.at('/test-mode')).toHaveLength(1);
    expect(desk.receiver.at('/mine')).toHaveLength(1);
  });
});

import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { type PublicEvent, publicEventDecider } from '../../../src/webhooks/domain/public-event.js';
import type { EventMessages } from '../../../src/webhooks/streaming/event-messages.js';
import { PublicEventFeed } from '../../../src/webhooks/streaming/public-event-feed.js';
import { ManualClock, SeededRandom, waitUntilIdle } from '../../support/clock.js';
import { createEvent } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const OWNER = { business: 'biz_1', mode: 'live' } as const;

describe('The feed of public events', () => {
  let store: MemoryEventStore;
  let feed: PublicEventFeed;
  beforeEach(() => {
    const clock = new ManualClock();
    store = new MemoryEventStore(clock);
    feed = new PublicEventFeed(store, {} as EventMessages, clock, new SeededRandom());
  });
  afterEach(() => feed.onModuleDestroy());

  async function publish(eventId: string, mode: PublicEvent['mode'] = 'live'): Promise<void> {
    const data = { eventId, type: 'product.approved', businessId: 'biz_1', mode, data: {} };
    await store.append(`${publicEventDecider.category}-${eventId}`, 'none', [
      createEvent(eventId, 'PublicEventRecorded', data),
    ]);
    await waitUntilIdle();
  }

  it('starts for the next subscriber when the store was away for the first one', async () => {
    const readHead = store.readHead.bind(store);
    store.readHead = () => Promise.reject(new StoreUnavailable('away', false));
    const received: string[] = [];
    const subscribe = () => feed.subscribe(OWNER, ({ event }) => received.push(event.eventId));
    await expect(subscribe()).rejects.toThrow(StoreUnavailable);
    store.readHead = readHead;
    await publish('evt_before');
    await subscribe();
    await publish('evt_after');

    expect(received).toEqual(['evt_after']);
  });

  it('passes an event to each listener of its business and mode, and to none that has left', async () => {
    const received: string[] = [];
    const listen = (name: string) => (fed: { readonly event: PublicEvent }) =>
      received.push(`${name} ${fed.event.eventId}`);
    const [a, b, test] = [listen('a'), listen('b'), listen('test')];
    for (const listener of [a, b]) await feed.subscribe(OWNER, listener);
    await feed.subscribe({ ...OWNER, mode: 'test' }, test);
    await publish('evt_1');
    feed.unsubscribe(OWNER, a);
    await publish('evt_2');
    await publish('evt_3', 'test');

    expect(received).toEqual(['a evt_1', 'b evt_1', 'b evt_2', 'test evt_3']);
  });
});

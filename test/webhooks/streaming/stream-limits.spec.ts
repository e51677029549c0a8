import { START } from '../../../src/kernel/position.js';
import type { PublicEvent } from '../../../src/webhooks/domain/public-event.js';
import { EventStream, type StreamDependencies } from '../../../src/webhooks/streaming/event-stream.js';
import type { FedEvent, FeedListener } from '../../../src/webhooks/streaming/public-event-feed.js';
import type { StreamConnection } from '../../../src/webhooks/streaming/stream-connection.js';
import { waitUntilIdle } from '../../support/clock.js';

const OWNER = { business: 'biz_1', mode: 'live' } as const;
const MAX_WAITING = 1_000;
const EVENT = { type: 'product.approved', data: {} } as unknown as PublicEvent;

/** A stream that waits for its read model, on a feed that a test feeds. */
function startLate() {
  const closing = new AbortController();
  const connection = { signal: closing.signal, close: () => closing.abort() } as unknown as StreamConnection;
  const listeners = new Set<FeedListener>();
  const feed = {
    subscribe: async (_: unknown, listener: FeedListener) => {
      listeners.add(listener);
      return '0001';
    },
    unsubscribe: (_: unknown, listener: FeedListener) => listeners.delete(listener),
  };
  const getSlice = async () => ({ data: [], pagination: { next_cursor: null } });
  const reader = { getSlice, requirePosition: () => new Promise(() => {}) };
  const dependencies = { reader, feed } as unknown as StreamDependencies;
  const stream = new EventStream({ owner: OWNER, eventTypes: ['*'], resource: null }, START, connection, dependencies);
  void stream.start();
  const feedEvents = (count: number) => {
    const event: FedEvent = { position: '0002', event: EVENT, message: async () => '' };
    for (let i = 0; i < count; i++) for (const listener of listeners) listener(event);
  };
  return { connection, listeners, feedEvents };
}

describe('An event stream that has not caught up', () => {
  it('is closed by the event after the thousandth that waits, so that its client connects again', async () => {
    const { connection, feedEvents } = startLate();
    await waitUntilIdle();
    feedEvents(MAX_WAITING);
    expect(connection.signal.aborted).toBe(false);
    feedEvents(1);
    expect(connection.signal.aborted).toBe(true);
  });

  it('gets no more events from the feed when its connection has ended', async () => {
    const { connection, listeners } = startLate();
    await waitUntilIdle();
    expect(listeners.size).toBe(1);
    connection.close();
    expect(listeners.size).toBe(0);
  });
});

import { withUpcasting } from '../../src/engine/upcasting-store.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { readMeta } from '../../src/kernel/unreadable-event.js';
import type { Upcasters } from '../../src/kernel/upcasting.js';
import { decodeEvent } from '../../src/stores/embedded/event-row.js';
import { createEvent } from '../contracts/events.js';
import { coinsAdded } from '../support/jar.js';
import { TestCluster } from '../support/memory/test-cluster.js';

const META = JSON.stringify(createEvent().meta);
const ROW = { position: 7, stream: 'jar-1', revision: 2, id: 'e', type: 'CoinsAdded', data: '{"coins":1}', meta: META };

describe('A damaged row of the log', () => {
  it.each([
    ['data that are not JSON', { data: '{"coins":' }],
    ['data that are not JSON', { data: '5' }],
    ['no metadata of this service', { meta: '' }],
    ['no metadata of this service', { meta: '{"v":1}' }],
    ['no metadata of this service', { meta: META.replace('"v":1', '"v":"1"') }],
    ['no metadata of this service', { meta: META.replace(/"at":"[^"]*"/, '"at":"yesterday"') }],
  ])('is an event with its place that throws only when its content is read: %s', (reason, damage) => {
    const event = decodeEvent({ ...ROW, ...damage });

    expect(event).toMatchObject({ stream: 'jar-1', revision: 2, id: 'e', type: 'CoinsAdded' });
    expect(() => ({ ...event })).not.toThrow();
    expect(() => event.data).toThrow(`jar-1: event 2 (CoinsAdded) at position 0000000000000007 has ${reason}`);
    expect(readMeta(event) === null).toBe('meta' in damage);
  });

  const toNewest: Upcasters = {
    'CoinsAdded@1': ({ data, meta, ...event }) => ({ ...event, data: { ...data, cents: 1 }, meta: { ...meta, v: 2 } }),
  };

  it.each([
    ['data', { data: '{"coins":' }],
    ['metadata', { meta: '{}' }],
  ])('with damaged %s does not stop its page when events of its type are upcast', async (_, damage) => {
    const cluster = new TestCluster();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    const [whole] = (await cluster.store.readAll({ limit: 1 })).events as [RecordedEvent];
    const damaged = decodeEvent({ ...ROW, ...damage });
    cluster.store.readAll = async () => ({ events: [damaged, whole], next: whole.position, caughtUp: true });
    const { events } = await withUpcasting(cluster.store, toNewest, { CoinsAdded: 2 }).readAll({ limit: 2 });

    expect(events[1]).toMatchObject({ data: { cents: 1 } });
    expect(() => events[0]!.data).toThrow(/jar-1: event 2 \(CoinsAdded\)/);
  });
});

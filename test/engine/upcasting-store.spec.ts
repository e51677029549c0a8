import { withUpcasting } from '../../src/engine/upcasting-store.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Upcasters } from '../../src/kernel/upcasting.js';
import { coinsAdded } from '../support/jar.js';
import { TestCluster } from '../support/memory/test-cluster.js';

const inCents: Upcasters = {
  'CoinsAdded@1': (event) => ({ ...event, data: { ...event.data, cents: 100 }, meta: { ...event.meta, v: 2 } }),
  'CoinsAdded@2': (event) => ({ ...event, data: { ...event.data, currency: 'eur' }, meta: { ...event.meta, v: 3 } }),
};

async function stored() {
  const cluster = new TestCluster();
  await cluster.append('jar-a', coinsAdded('a', '1'));
  return cluster.store;
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T> {
  for await (const item of items) return item;
  throw new Error('no such type');
}

describe('An event of an older version', () => {
  it('is read in the newest version by every method', async () => {
    const store = await stored();
    const read = withUpcasting(store, inCents);
    const newest = { type: 'CoinsAdded', data: { jarId: 'a', coins: 1, cents: 100, currency: 'eur' }, meta: { v: 3 } };
    expect(await firstOf(read.readStream('jar-a'))).toMatchObject(newest);
    expect((await read.readAll({ limit: 10 })).events).toMatchObject([newest]);
    expect((await firstOf(read.follow({ after: '' }, new AbortController().signal))).events).toMatchObject([newest]);
  });

  it('stays unchanged in the log', async () => {
    const store = await stored();
    await withUpcasting(store, inCents).readAll({ limit: 10 });
    expect(store.log[0]!.data).toEqual({ jarId: 'a', coins: 1 });
  });

  it('fails when its data are read if it cannot be upcast, and does not fail its page', async () => {
    const failing: Upcasters = {
      'CoinsAdded@1': () => {
        throw new Error('no rate for that day');
      },
    };
    const read = withUpcasting(await stored(), failing);
    const [event] = (await read.readAll({ limit: 10 })).events as [RecordedEvent];
    expect(event.type).toBe('CoinsAdded');
    expect(() => event.data).toThrow('no rate for that day');
    await expect(firstOf(read.readStream('jar-a'))).rejects.toThrow('no rate for that day');
  });
});

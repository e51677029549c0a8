import { requireCheckpointsInLog } from '../../src/engine/consumers/checkpoints-ahead.js';
import type { Registrations } from '../../src/engine/registry.js';
import { rewind } from '../../src/engine/rewind.js';
import { StoreIdentity } from '../../src/engine/store-identity.js';
import { COINS_ADDED, coinsAdded, createEvent, jars } from '../support/jar.js';
import { MemoryEventStore } from '../support/memory/event-store.js';
import { toPorts } from '../support/memory/read-models.js';
import { TestCluster } from '../support/memory/test-cluster.js';

const FOLLOWERS = { projections: [jars], reactors: ['reactor:counting'] };

/** The stores of a service that has seen three events, with the log restored to its first event. */
async function restored() {
  const cluster = new TestCluster();
  const seen: string[] = [];
  const counting = {
    name: 'counting',
    types: COINS_ADDED,
    react: async ({ id }: { id: string }) => void seen.push(id),
  };
  const wiring: Registrations = { projections: [jars], reactors: [counting] };
  const { engine } = cluster.createProcess(wiring);
  await engine.start();
  for (const id of ['1', '2', '3']) await cluster.append('jar-a', coinsAdded('a', id));
  await cluster.clock.advance(1_000);
  await engine.stop();
  const [first] = cluster.store.log;
  const events = new MemoryEventStore(cluster.clock);
  await events.append(first!.stream, 'none', [first!]);
  const { readModels, clock } = cluster;
  return { cluster, seen, events, stores: { events, ...toPorts(readModels), clock }, first: first! };
}

describe('A log that was restored from an earlier time than its checkpoints', () => {
  it('is refused, and the error names every checkpoint ahead of it', async () => {
    const { stores } = await restored();

    await expect(requireCheckpointsInLog(stores)).rejects.toMatchObject({
      name: 'CheckpointsAheadOfLog',
      names: ['jars@1#1', 'reactor:counting'],
    });
  });

  it('is accepted once it is rewound: reactors continue from its end, and projections are rebuilt', async () => {
    const { stores, cluster, first } = await restored();
    const rewound = await rewind(stores, FOLLOWERS);
    await requireCheckpointsInLog(stores);

    expect(rewound).toEqual({ head: first.position, reactors: first.position, building: ['jars@1'] });
    expect(await cluster.readModels.readCheckpoint('reactor:counting')).toBe(first.position);
    expect((await cluster.readModels.listEntries())[0]!.value).toMatchObject({
      active: null,
      builds: [
        { n: 1, status: 'dropping' },
        { n: 2, status: 'building' },
      ],
    });
  });

  it('lets reactors handle again the events since a given time', async () => {
    const { stores, first } = await restored();

    expect(await rewind(stores, FOLLOWERS, first.meta.at)).toMatchObject({ reactors: '' });
    expect(await stores.checkpoints.readCheckpoint('reactor:counting')).toBe('');
  });

  it('becomes another store, so that reads do not wait for tokens of lost positions', async () => {
    const { stores } = await restored();
    const before = new StoreIdentity(stores.models);
    await before.load();
    await rewind(stores, FOLLOWERS);
    const after = new StoreIdentity(stores.models);
    await after.load();

    expect(after.id).not.toBe(before.id);
  });

  it('is rewound by the next run after a crash', async () => {
    const { stores } = await restored();
    await rewind(stores, FOLLOWERS);
    await rewind(stores, FOLLOWERS);
    await requireCheckpointsInLog(stores);
  });
});

describe('Read models that were restored to a time after that of the jobs', () => {
  it('get lost jobs again when they are rewound to before that time, and keep completed ones', async () => {
    const cluster = new TestCluster();
    const put = (event: { id: string }) =>
      cluster.jobs.enqueue([{ key: event.id, queue: 'counts', due: '2026-02-01T09:00:00.000Z', data: {} }]);
    const counting = { name: 'counting', types: COINS_ADDED, react: put };
    const wiring: Registrations = { projections: [], reactors: [counting] };
    const first = cluster.createProcess(wiring);
    await first.engine.start();
    await cluster.append(
      'jar-a',
      createEvent('a:1', 'CoinsAdded', { jarId: 'a', coins: 1 }, '2026-02-01T08:00:00.000Z'),
    );
    await cluster.append(
      'jar-b',
      createEvent('b:1', 'CoinsAdded', { jarId: 'b', coins: 1 }, '2026-02-01T10:00:00.000Z'),
    );
    await cluster.clock.advance(1_000);
    await first.engine.stop();
    const keys = (await cluster.jobs.list({ limit: 10 })).map(({ key }) => key);
    for (const key of keys) await cluster.jobs.cancel(key);

    await rewind(
      { events: cluster.store, ...toPorts(cluster.readModels), clock: cluster.clock },
      FOLLOWERS,
      '2026-02-01T09:00:00.000Z',
    );
    const second = cluster.createProcess(wiring);
    await second.engine.start();
    await cluster.clock.advance(1_000);
    await second.engine.stop();

    expect(keys).toHaveLength(2);
    expect((await cluster.jobs.list({ limit: 10 })).map(({ key }) => key)).toEqual([cluster.store.log[1]!.id]);
  });
});

import type { JobHandler, Registrations } from '../../src/engine/registry.js';
import { SystemClock } from '../../src/kernel/clock.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { buildOf, collectionOf, render } from '../../src/kernel/projection.js';
import { declareQueue } from '../../src/kernel/queue.js';
import { Rejection } from '../../src/kernel/rejection.js';
import type { EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { EmbeddedCluster } from '../support/embedded-cluster.js';
import { COINS_ADDED, createContext, jar, jars } from '../support/jar.js';

const TIMEOUT_MS = 30_000;

let cluster: EmbeddedCluster;
beforeEach(async () => {
  cluster = await EmbeddedCluster.open();
});
afterEach(() => cluster.close());

async function everyEvent({ events }: EmbeddedStores): Promise<readonly RecordedEvent[]> {
  return (await events.readAll({ limit: 100_000 })).events;
}

describe('The engine on the embedded store', () => {
  it('shows every write to its writer', async () => {
    const { views, streams } = await cluster.startProcess({ projections: [jars] });
    for (let i = 1; i <= 100; i++) {
      const context = createContext(`command ${i}`);
      await streams.execute(jar, 'a', { type: 'AddCoins', jarId: 'a', coins: 1 }, context);
      expect(await views.get(jars, 'a', context.consistency)).toMatchObject({ coins: i });
      expect(context.consistency.isStale).toBe(false);
    }
  });

  it('equals the log with several processes that write and fold concurrently', async () => {
    const processes = [
      await cluster.startProcess({ projections: [jars] }),
      await cluster.startProcess({ projections: [jars] }),
    ];
    const writes = Array.from({ length: 200 }, async (_, i) => {
      const id = String(i % 7);
      const command = { type: 'AddCoins', jarId: id, coins: i, times: 1 + (i % 3) } as const;
      await untilTaken(() => processes[i % 2]!.streams.execute(jar, id, command, createContext(`command ${i}`)));
    });
    await Promise.all(writes);

    const [{ views, stores }] = processes as [(typeof processes)[0]];
    const head = await stores.events.readHead();
    for (const process of processes) expect(await process.views.waitUntil(jars, head, TIMEOUT_MS)).toBe(true);
    const log = await everyEvent(stores);
    expect(log).toHaveLength(399);
    for (let id = 0; id < 7; id++) {
      const shown = await views.find(jars, { id: String(id) }, 1, createContext('read').consistency);
      expect(shown).toEqual([render(jars, String(id), log)]);
    }
  });

  it('runs the reaction to an event once, in any process', async () => {
    const done: string[] = [];
    const queue = declareQueue<{ readonly event: string }>({ name: 'polish' });
    const handler: JobHandler<{ readonly event: string }> = {
      queue,
      concurrency: 4,
      run: async ({ data }) => void done.push(data.event),
    };
    const wiring = (stores: () => EmbeddedStores): Registrations => ({
      reactors: [
        {
          name: 'polish',
          types: COINS_ADDED,
          react: ({ id, meta }) =>
            stores().jobs.enqueue([queue.createJob({ key: `polish:${id}`, due: meta.at, data: { event: id } })]),
        },
      ],
      jobs: [handler],
    });
    const [first] = [
      await cluster.startProcess(wiring(() => cluster.stores[0]!)),
      await cluster.startProcess(wiring(() => cluster.stores[1]!)),
    ];
    for (let i = 0; i < 40; i++) {
      await first.streams.execute(
        jar,
        String(i),
        { type: 'AddCoins', jarId: String(i), coins: 1 },
        createContext(`command ${i}`),
      );
    }
    const ids = (await everyEvent(first.stores)).map(({ id }) => id);
    const end = performance.now() + TIMEOUT_MS;
    while (done.length < ids.length && performance.now() < end) await new SystemClock().sleep(5);
    expect(done.toSorted()).toEqual(ids.toSorted());
  });

  it('continues at its position after a stop', async () => {
    const first = await cluster.startProcess({ projections: [jars] });
    await first.streams.execute(jar, 'a', { type: 'AddCoins', jarId: 'a', coins: 2 }, createContext('first'));
    await first.engine.stop();
    await first.streams.execute(jar, 'a', { type: 'AddCoins', jarId: 'a', coins: 3 }, createContext('second'));
    expect(await first.stores.checkpoints.readCheckpoint(buildOf(collectionOf(jars), 1))).toBe(
      (await everyEvent(first.stores))[0]!.position,
    );

    const second = await cluster.startProcess({ projections: [jars] });
    const context = createContext('third');
    await second.streams.execute(jar, 'a', { type: 'AddCoins', jarId: 'a', coins: 4 }, context);
    expect(await second.views.get(jars, 'a', context.consistency)).toEqual(
      render(jars, 'a', await everyEvent(second.stores)),
    );
  });
});

/** Retries as a client does after a 503. */
async function untilTaken(write: () => Promise<unknown>): Promise<void> {
  for (let taken = false; !taken;) {
    taken = await write().then(
      () => true,
      (error: unknown) => {
        if (error instanceof Rejection && error.code === 'concurrent_update') return false;
        throw error;
      },
    );
  }
}

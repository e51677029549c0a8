import { DEAD_LETTERS } from '../../src/engine/projections/dead-letters.js';
import type { Reactor } from '../../src/engine/registry.js';
import { NewerEvent } from '../../src/kernel/upcasting.js';
import { coinsAdded, createContext, createEvent, jar, JAR_TYPES, type JarEvent, jars } from '../support/jar.js';
import { TestCluster } from '../support/memory/test-cluster.js';

const OLD = { CoinsAdded: 1 };
const NEW = { CoinsAdded: 2, JarBroken: 1 };

const newerVersion = (() => {
  const { meta, ...event } = coinsAdded('a', 'newer');
  return { ...event, meta: { ...meta, v: 2 } };
})();

const newerEvents = [
  { what: 'an unknown type', event: createEvent('newer', 'JarBroken', { jarId: 'a' }) },
  { what: 'a higher version', event: newerVersion },
];

function reactorOf(seen: string[]): Reactor<JarEvent> {
  return { name: 'counting', types: JAR_TYPES, react: async ({ id }) => void seen.push(id) };
}

describe.each(newerEvents)('Code that is older than an event of $what', ({ event: newer }) => {
  const first = coinsAdded('a', '1');
  const last = coinsAdded('b', '1');

  async function written() {
    const cluster = new TestCluster();
    const seen: string[] = [];
    const process = cluster.createOlderProcess(OLD, { projections: [jars], reactors: [reactorOf(seen)] });
    await process.engine.start();
    for (const [stream, event] of [
      ['jar-a', first],
      ['jar-a', newer],
      ['jar-b', last],
    ] as const)
      await cluster.append(stream, event);
    return { cluster, seen, ...process };
  }

  it('projects and reacts up to that event and stops there, so that newer code can continue', async () => {
    const { cluster, seen, engine } = await written();
    await cluster.clock.advance(120_000);
    expect(await cluster.readDocuments('jars@1#1')).toMatchObject([{ id: 'a', events: [first.id] }]);
    expect(seen).toEqual([first.id]);
    expect(engine.status().failing).toMatchObject([
      { error: expect.stringContaining('newer version of the service') as string },
    ]);
    await engine.stop();

    const next = cluster.createOlderProcess(NEW, { projections: [jars], reactors: [reactorOf(seen)] }, 'newer code');
    await next.engine.start();
    await cluster.clock.advance(12_000);
    expect(seen).toEqual([first.id, newer.id, last.id]);
    expect(await cluster.readDocuments('jars@1#1')).toContainEqual(expect.objectContaining({ id: 'b' }));
    await next.engine.stop();
  });

  it('parks no job and sets no event aside', async () => {
    const { cluster, engine } = await written();
    await cluster.clock.advance(120_000);
    expect(await cluster.jobs.readQueueStats()).toEqual([]);
    expect(await cluster.readDocuments(DEAD_LETTERS)).toEqual([]);
    await engine.stop();
  });

  it('decides no command on the stream of that event', async () => {
    const { cluster, streams, engine } = await written();
    const older = { ...jar, versions: OLD as typeof jar.versions };
    const adding = streams.execute(older, 'a', { type: 'AddCoins', jarId: 'a', coins: 1 }, createContext('add'));
    await expect(adding).rejects.toThrow(NewerEvent);
    expect(cluster.store.log).toHaveLength(3);
    await engine.stop();
  });

  it('stops a build before that event without failing it', async () => {
    const { operator, engine } = await written();
    await expect(operator.rebuild('jars', { switch: true })).rejects.toThrow('newer version of the service');
    const { builds } = await operator.getStatus('jars');
    expect(builds).toMatchObject([{ status: 'active' }, { status: 'building', error: null }]);
    await engine.stop();
  });
});

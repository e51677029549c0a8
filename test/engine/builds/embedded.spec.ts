import { SystemClock } from '../../../src/kernel/clock.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { EmbeddedCluster } from '../../support/embedded-cluster.js';
import { createContext, jar, type JarDocument, jars } from '../../support/jar.js';

const JARS_BEFORE = 60;
const wiring = { projections: [jars] };

let cluster: EmbeddedCluster;
beforeEach(async () => {
  cluster = await EmbeddedCluster.open();
});
afterEach(() => cluster.close());

type Process = Awaited<ReturnType<EmbeddedCluster['startProcess']>>;

async function add({ streams }: Process, i: number): Promise<string> {
  const context = createContext(`command ${i}`);
  const id = String(i % 20);
  await streams.execute(jar, id, { type: 'AddCoins', jarId: id, coins: 1, times: 10 }, context);
  return context.consistency.position;
}

/** Writes and reads until it is stopped; every read sees at least what the previous one saw. */
async function customer(
  service: Process,
  end: AbortSignal,
): Promise<{ readonly writes: number; readonly backwards: number; readonly stale: number }> {
  let [writes, backwards, stale, coins] = [0, 0, 0, 0];
  while (!end.aborted) {
    const progress = new ConsistencyContext(await add(service, JARS_BEFORE + writes++));
    const seen = (await service.views.find(jars, {}, 100, progress)).reduce(
      (sum, one: JarDocument) => sum + one.coins,
      0,
    );
    if (seen < coins) backwards++;
    if (progress.isStale) stale++;
    coins = seen;
    await new SystemClock().sleep(2);
  }
  return { writes, backwards, stale };
}

describe('A rebuild on the embedded store beside a service with reads and writes', () => {
  it('survives a kill, refuses a second run, and can be activated, verified and rolled back', async () => {
    const service = await cluster.startProcess(wiring);
    for (let i = 0; i < JARS_BEFORE; i++) await add(service, i);
    const end = new AbortController();
    const custom = customer(service, end.signal);
    const [{ operator }, { operator: other }] = [
      await cluster.createProcess(wiring),
      await cluster.createProcess(wiring),
    ];

    const stop = new AbortController();
    const stopped = operator.rebuild('jars', { switch: true, signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toThrow();
    const starts = await Promise.allSettled([
      operator.rebuild('jars', { switch: true }),
      other.rebuild('jars', { switch: true }),
    ]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await operator.getStatus('jars')).toMatchObject({ active: 'jars@1#2', previous: 'jars@1#1' });
    await new SystemClock().sleep(1_500);
    expect(await operator.verify('jars')).toMatchObject({ build: 'jars@1#2', documents: 20, differences: [] });

    await operator.rollback('jars');
    await new SystemClock().sleep(1_500);
    expect(await operator.verify('jars')).toMatchObject({ build: 'jars@1#1', documents: 20, differences: [] });
    end.abort();
    expect(await custom).toMatchObject({ backwards: 0, stale: 0 });
    expect((await custom).writes).toBeGreaterThan(50);
  }, 60_000);

  it('deletes a dropped build from the file', async () => {
    const service = await cluster.startProcess(wiring);
    for (let i = 0; i < JARS_BEFORE; i++) await add(service, i);
    const { operator } = await cluster.createProcess(wiring);
    await operator.rebuild('jars', { switch: true });
    expect(await operator.drop('jars', 1)).toEqual({ builds: ['jars@1#1'] });
    expect(await service.stores.models.count('jars@1#1', {})).toBe(0);
    expect((await operator.getStatus('jars')).builds.map(({ name }) => name)).toEqual(['jars@1#2']);
    await add(service, JARS_BEFORE);
    expect(await operator.verify('jars')).toMatchObject({ differences: [] });
  }, 60_000);
});

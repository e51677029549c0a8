import type { Registrations } from '../../../src/engine/registry.js';
import { Registry } from '../../../src/engine/registry.js';
import { formatFreeSpace } from '../../../src/operations/health/disk-space.js';
import { LagMonitor } from '../../../src/operations/health/lag-monitor.js';
import { COINS_ADDED, coinsAdded, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const JARS = 'jars@1#1';
const counting = { name: 'counting', types: COINS_ADDED, react: async () => undefined };
const wiring: Registrations = { projections: [jars], reactors: [counting] };

/** Starts a process that runs everything, and another process that only monitors it. */
async function monitorProcess() {
  const cluster = new TestCluster();
  const { engine } = cluster.createProcess(wiring);
  await engine.start();
  await cluster.clock.advance(1_000);
  const registry = new Registry();
  registry.add(wiring);
  const { builds } = cluster.createProcess(wiring, 'api');
  const lagMonitor = new LagMonitor(
    cluster.store,
    cluster.readModels,
    cluster.checkpoints,
    builds,
    registry,
    cluster.clock,
  );
  const watching = new AbortController();
  void lagMonitor.watch(watching.signal);
  return { cluster, engine, lagMonitor, end: () => watching.abort() };
}

describe('The lag monitor', () => {
  it('reports consumers that have not advanced for 30 s although the log is ahead, in any process', async () => {
    const { cluster, engine, lagMonitor, end } = await monitorProcess();
    await engine.stop();
    await cluster.clock.advance(60_000);
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(29_000);
    expect(lagMonitor.stalledConsumers).toEqual([]);
    await cluster.clock.advance(10_000);
    expect(lagMonitor.stalledConsumers).toEqual([JARS, 'reactor:counting']);
    end();
  });

  it('does not report a consumer that had nothing to do', async () => {
    const { cluster, engine, lagMonitor, end } = await monitorProcess();
    await cluster.clock.advance(60_000);
    cluster.readModels.unavailableCollections.add(JARS);
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await lagMonitor.refresh();
    expect(lagMonitor.stalledConsumers).toEqual([]);
    await engine.stop();
    end();
  });

  it('does not report a consumer that advances, even when it lags far', async () => {
    const { cluster, engine, lagMonitor, end } = await monitorProcess();
    await engine.stop();
    const positions = [];
    for (let i = 0; i < 12; i++) positions.push(await cluster.append('jar-a', coinsAdded('a', `${i}`)));
    for (const position of positions) {
      await cluster.readModels.advanceCheckpoints({ [JARS]: position, 'reactor:counting': position });
      await cluster.clock.advance(10_000);
      expect(lagMonitor.stalledConsumers).toEqual([]);
    }
    end();
  });

  it('reports consumers that are ahead of a restored log', async () => {
    const { cluster, engine, lagMonitor, end } = await monitorProcess();
    const position = await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(1_000);
    await engine.stop();
    await lagMonitor.refresh();
    expect(lagMonitor.consumersAhead).toEqual([]);
    await cluster.readModels.advanceCheckpoints({ [JARS]: `${position}1`, 'reactor:counting': `${position}1` });
    await lagMonitor.refresh();
    expect(lagMonitor.consumersAhead).toEqual([JARS, 'reactor:counting']);
    end();
  });

  it('stops reporting a consumer that advances again', async () => {
    const { cluster, engine, lagMonitor, end } = await monitorProcess();
    cluster.readModels.unavailableCollections.add(JARS);
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(40_000);
    expect(lagMonitor.stalledConsumers).toEqual([JARS]);
    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(10_000);
    expect(lagMonitor.stalledConsumers).toEqual([]);
    await engine.stop();
    end();
  });
});

describe('The check of free disk space', () => {
  it('returns the free space as text', () => expect(formatFreeSpace(12.34 * 1024 ** 3, 256)).toBe('12.3 GB free'));

  it('fails when less than the minimum is free', () =>
    expect(() => formatFreeSpace(200 * 1024 ** 2, 256)).toThrow('0.2 GB free'));
});

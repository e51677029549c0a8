import type { Registrations } from '../../../src/engine/registry.js';
import { Registry } from '../../../src/engine/registry.js';
import { formatFreeSpace } from '../../../src/operations/health/disk-space.js';
import { LagMonitor } from '../../../src/operations/health/lag-monitor.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const JARS = 'jars@1#1';
const counting = { name: 'counting', types: ['CoinsAdded'], react: async () => undefined };
const wiring: Registrations = { projections: [jars], reactors: [counting] };

/** Starts a process that runs everything, and another process that only monitors it. */
async function monitorProcess() {
  const house = new TestCluster();
  const { engine } = house.createProcess(wiring);
  await engine.start();
  await house.clock.advance(1_000);
  const registry = new Registry();
  registry.add(wiring);
  const { builds } = house.createProcess(wiring, 'api');
  const stalls = new LagMonitor(house.store, house.readModels, house.checkpoints, builds, registry, house.clock);
  const watching = new AbortController();
  void stalls.watch(watching.signal);
  return { house, engine, stalls, end: () => watching.abort() };
}

describe('The lag monitor', () => {
  it('reports consumers that have not advanced for 30 s although the log is ahead, in any process', async () => {
    const { house, engine, stalls, end } = await monitorProcess();
    await engine.stop();
    await house.clock.advance(60_000);
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(29_000);
    expect(stalls.stalledConsumers).toEqual([]);
    await house.clock.advance(10_000);
    expect(stalls.stalledConsumers).toEqual([JARS, 'reactor:counting']);
    end();
  });

  it('does not report a consumer that had nothing to do', async () => {
    const { house, engine, stalls, end } = await monitorProcess();
    await house.clock.advance(60_000);
    house.readModels.unavailableCollections.add(JARS);
    await house.append('jar-a', coinsAdded('a', '1'));
    await stalls.refresh();
    expect(stalls.stalledConsumers).toEqual([]);
    await engine.stop();
    end();
  });

  it('does not report a consumer that advances, even when it lags far', async () => {
    const { house, engine, stalls, end } = await monitorProcess();
    await engine.stop();
    const positions = [];
    for (let i = 0; i < 12; i++) positions.push(await house.append('jar-a', coinsAdded('a', `${i}`)));
    for (const position of positions) {
      await house.readModels.advanceCheckpoints({ [JARS]: position, 'reactor:counting': position });
      await house.clock.advance(10_000);
      expect(stalls.stalledConsumers).toEqual([]);
    }
    end();
  });

  it('reports consumers that are ahead of a restored log', async () => {
    const { house, engine, stalls, end } = await monitorProcess();
    const position = await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(1_000);
    await engine.stop();
    await stalls.refresh();
    expect(stalls.consumersAhead).toEqual([]);
    await house.readModels.advanceCheckpoints({ [JARS]: `${position}1`, 'reactor:counting': `${position}1` });
    await stalls.refresh();
    expect(stalls.consumersAhead).toEqual([JARS, 'reactor:counting']);
    end();
  });

  it('stops reporting a consumer that advances again', async () => {
    const { house, engine, stalls, end } = await monitorProcess();
    house.readModels.unavailableCollections.add(JARS);
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(40_000);
    expect(stalls.stalledConsumers).toEqual([JARS]);
    house.readModels.unavailableCollections.clear();
    await house.clock.advance(10_000);
    expect(stalls.stalledConsumers).toEqual([]);
    await engine.stop();
    end();
  });
});

describe('The check of free disk space', () => {
  it('returns the free space as text', () => expect(formatFreeSpace(12.34 * 1024 ** 3)).toBe('12.3 GB free'));

  it('fails when less than a quarter of a gigabyte is free', () =>
    expect(() => formatFreeSpace(200 * 1024 ** 2)).toThrow('0.2 GB free'));
});

import type { Reactor } from '../../src/engine/registry.js';
import { COINS_ADDED, type CoinsAdded, coinsAdded } from '../support/jar.js';
import { TestCluster } from '../support/memory/test-cluster.js';

describe('Stopping', () => {
  it('starts no new work and waits for running work', async () => {
    const cluster = new TestCluster();
    const reacted: string[] = [];
    const slow: Reactor<CoinsAdded> = {
      name: 'slow',
      types: COINS_ADDED,
      react: async ({ id }) => {
        await cluster.clock.sleep(500);
        reacted.push(id);
      },
    };
    const { engine } = cluster.createProcess({ reactors: [slow] });
    await engine.start();
    await cluster.append('jar-a', coinsAdded('a', '1'), coinsAdded('a', '2'));
    await cluster.clock.advance(600);
    const stopping = engine.stop();
    await cluster.clock.advance(1_000);
    await stopping;
    expect(reacted).toHaveLength(2);
    expect(engine.status().running).toBe(false);
    expect(await cluster.readModels.acquireLease('reactor:slow', 'somebody else', 1_000)).toBe(2);
  });

  it('waits at most eight seconds', async () => {
    const cluster = new TestCluster();
    const hanging: Reactor<CoinsAdded> = {
      name: 'hanging',
      types: COINS_ADDED,
      react: () => new Promise(() => undefined),
    };
    const { engine } = cluster.createProcess({ reactors: [hanging] });
    await engine.start();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(10);
    let stopped = false;
    void engine.stop().then(() => (stopped = true));
    await cluster.clock.advance(7_999);
    expect(stopped).toBe(false);
    await cluster.clock.advance(1);
    expect(stopped).toBe(true);
  });
});

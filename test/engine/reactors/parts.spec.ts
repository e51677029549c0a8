import { checkpointNameOf, initializePart, listParts } from '../../../src/engine/reactors/parts.js';
import type { Reactor } from '../../../src/engine/registry.js';
import { START } from '../../../src/kernel/position.js';
import { COINS_ADDED, type CoinsAdded, coinsAdded } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const JARS = 60;

/** Records which process has handled which event. */
function reactorOf(
  process: string,
  seen: { process: string; stream: string; revision: number }[],
): Reactor<CoinsAdded> {
  return {
    name: 'counting',
    types: COINS_ADDED,
    react: async ({ stream, revision }) => void seen.push({ process, stream, revision }),
  };
}

type Seen = Parameters<typeof reactorOf>[1];

function started(cluster: TestCluster, name: string, parts: number, seen: Seen) {
  const all = cluster.createProcess({ reactors: [reactorOf(name, seen)] }, name);
  all.registry.reactorParts = parts;
  return all;
}

async function fillJars(cluster: TestCluster, label: string): Promise<void> {
  for (let i = 0; i < JARS; i++) await cluster.append(`jar-${i}`, coinsAdded(`${i}`, label));
}

const keysOf = (seen: Seen) => seen.map(({ stream, revision }) => `${stream}:${revision}`).sort();
const everyKey = (revisions: number[]) =>
  Array.from({ length: JARS }, (_, i) => revisions.map((revision) => `jar-${i}:${revision}`))
    .flat()
    .sort();

describe('A reactor in several parts', () => {
  it.each([
    ['after the slowest part when the number of parts changes', [['10', '99', '99', '99']], '10'],
    ['after the division that came furthest', [['10', '99', '99', '99'], ['50']], '50'],
    ['at the start when a part has never stored a checkpoint', [[START, '99', '99', '99']], START],
  ])('continues %s', async (_, divisions, begin) => {
    const { checkpoints } = new TestCluster();
    const reactor = { name: 'counting' };
    for (const positions of divisions)
      for (const [nth, position] of positions.entries())
        if (position !== START)
          await checkpoints.advanceCheckpoints({
            [checkpointNameOf(reactor, { nth, of: positions.length })]: position,
          });
    const parts = listParts({ reactorParts: 2 });
    for (const part of parts) await initializePart(reactor, part, checkpoints);

    const begins = await Promise.all(parts.map((part) => checkpoints.readCheckpoint(checkpointNameOf(reactor, part))));
    expect(begins).toEqual([begin, begin]);
  });

  it('handles each event once, with its streams shared by two processes', async () => {
    const [cluster, seen]: [TestCluster, Seen] = [new TestCluster(), []];
    const one = started(cluster, 'one', 8, seen);
    const two = started(cluster, 'two', 8, seen);
    await Promise.all([one.engine.start(), two.engine.start()]);
    await cluster.clock.advance(3_000);
    await fillJars(cluster, 'first');
    await fillJars(cluster, 'second');
    await cluster.clock.advance(3_000);
    expect(keysOf(seen)).toEqual(everyKey([0, 1]));
    for (let i = 0; i < JARS; i++)
      expect(seen.filter(({ stream }) => stream === `jar-${i}`).map(({ revision }) => revision)).toEqual([0, 1]);
    await Promise.all([one.engine.stop(), two.engine.stop()]);
  });

  it('is shared with a process that starts later, and taken over when that process ends', async () => {
    const [cluster, seen]: [TestCluster, Seen] = [new TestCluster(), []];
    const first = started(cluster, 'first', 2, seen);
    await first.engine.start();
    await fillJars(cluster, 'alone');
    await cluster.clock.advance(3_000);
    expect(new Set(seen.map(({ process }) => process))).toEqual(new Set(['first']));

    const later = started(cluster, 'later', 2, seen);
    await later.engine.start();
    await cluster.clock.advance(10_000);
    const before = seen.length;
    await fillJars(cluster, 'shared');
    await cluster.clock.advance(1_000);
    const shared = seen.slice(before).map(({ process }) => process);
    expect(shared.filter((process) => process === 'first').length).toBeGreaterThan(JARS / 4);
    expect(shared.filter((process) => process === 'later').length).toBeGreaterThan(JARS / 4);

    await first.engine.stop();
    await fillJars(cluster, 'taken over');
    await cluster.clock.advance(10_000);
    expect(keysOf(seen)).toEqual(everyKey([0, 1, 2]));
    await later.engine.stop();
  });

  it.each([
    ['one earlier part', [1, 4]],
    ['more earlier parts', [4, 2]],
    ['several earlier divisions, the current one included', [2, 3, 2]],
  ])('resumes with %s, and handles no event twice', async (_, divisions) => {
    const [cluster, seen]: [TestCluster, Seen] = [new TestCluster(), []];
    for (const [i, parts] of divisions.entries()) {
      const { engine } = started(cluster, `process ${i}`, parts, seen);
      await engine.start();
      await fillJars(cluster, `${i}`);
      await cluster.clock.advance(3_000);
      await engine.stop();
    }
    expect(keysOf(seen)).toEqual(everyKey(divisions.map((_, i) => i)));
  });
});

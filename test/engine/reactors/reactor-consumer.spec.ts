import { PARKED_REACTIONS } from '../../../src/engine/reactors/parked-reactions.js';
import type { Reactor } from '../../../src/engine/registry.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { coinsAdded, createEvent } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const COUNTING = 'reactor:counting';

/** Records the events that it handles; `react` may run another function first. */
function counting(
  seen: RecordedEvent[],
  react: (event: RecordedEvent) => Promise<void> = async () => undefined,
): Reactor {
  return {
    name: 'counting',
    types: ['CoinsAdded'],
    react: async (event) => {
      await react(event);
      seen.push(event);
    },
  };
}

async function started(react?: (event: RecordedEvent) => Promise<void>) {
  const house = new TestCluster();
  const seen: RecordedEvent[] = [];
  const { engine } = house.createProcess({ reactors: [counting(seen, react)] });
  await engine.start();
  return { house, engine, seen };
}

const revisionsOf = (seen: readonly RecordedEvent[], stream: string) =>
  seen.filter((event) => event.stream === stream).map(({ revision }) => revision);

describe('A reactor', () => {
  it('handles the events of its types, and moves over the others', async () => {
    const { house, engine, seen } = await started();
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.append('lid-a', createEvent('lid', 'LidClosed', {}));
    await house.clock.advance(300);
    expect(seen).toEqual([house.store.log[0]]);
    expect(await house.readModels.readCheckpoint(COUNTING)).toBe(await house.store.readHead());
    await engine.stop();
  });

  it('handles the events of one stream in order, and those of another stream concurrently', async () => {
    let waiting = 0;
    let most = 0;
    const { house, engine, seen } = await started(async () => {
      most = Math.max(most, ++waiting);
      await house.clock.sleep(10);
      waiting--;
    });
    for (let i = 0; i < 200; i++)
      await house.store.append(`jar-${i}`, 'none', [coinsAdded(String(i), '1'), coinsAdded(String(i), '2')]);
    await house.clock.advance(1_000);
    expect(seen).toHaveLength(400);
    expect(most).toBe(32);
    for (let i = 0; i < 200; i++) expect(revisionsOf(seen, `jar-${i}`)).toEqual([0, 1]);
    await engine.stop();
  });

  it('delays neither another stream nor an earlier page when one stream waits', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { house, engine, seen } = await started(async ({ stream, revision }) => {
      if (stream === 'jar-slow' && revision === 0) await released;
    });
    await house.append('jar-slow', coinsAdded('slow', '1'));
    await house.clock.advance(100);
    await house.append('jar-slow', coinsAdded('slow', '2'));
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(100);
    expect(seen.map(({ stream }) => stream)).toEqual(['jar-a']);
    release();
    await house.clock.advance(100);
    expect(revisionsOf(seen, 'jar-slow')).toEqual([0, 1]);
    await engine.stop();
  });

  it('keeps its checkpoint before incomplete events, even if later ones are complete', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { house, engine, seen } = await started(({ stream }) =>
      stream === 'jar-slow' ? released : Promise.resolve(),
    );
    const before = await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(300);
    await house.append('jar-slow', coinsAdded('slow', '1'));
    await house.clock.advance(300);
    const last = await house.append('jar-b', coinsAdded('b', '1'));
    await house.clock.advance(300);
    expect(seen).toHaveLength(2);
    expect(await house.readModels.readCheckpoint(COUNTING)).toBe(before);
    release();
    await house.clock.advance(300);
    expect(await house.readModels.readCheckpoint(COUNTING)).toBe(last);
    await engine.stop();
  });

  it('handles again after a crash only the events after the checkpoint', async () => {
    const { house, engine, seen } = await started();
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(10);
    house.readModels.checkpointsUnavailable = true;
    await house.append('jar-a', coinsAdded('a', '2'));
    await house.clock.advance(10);
    await engine.stop();

    house.readModels.checkpointsUnavailable = false;
    const { engine: next } = house.createProcess({ reactors: [counting(seen)] }, 'next process');
    await next.start();
    await house.clock.advance(2_000);
    expect(revisionsOf(seen, 'jar-a')).toEqual([0, 1, 1]);
    await next.stop();
  });

  it('runs in one of several processes, and in another when that process stops', async () => {
    const { house, engine, seen } = await started();
    const { engine: other } = house.createProcess({ reactors: [counting(seen)] }, 'other');
    await other.start();
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(5_000);
    expect(seen).toHaveLength(1);
    await engine.stop();
    await house.append('jar-a', coinsAdded('a', '2'));
    await house.clock.advance(2_000);
    expect(revisionsOf(seen, 'jar-a')).toEqual([0, 1]);
    await other.stop();
  });
});

describe('An event that a reactor cannot handle', () => {
  const thirteen = async ({ data }: RecordedEvent) => {
    if ((data as { coins: number }).coins === 13) throw new Error('thirteen');
  };

  it('is parked as a job after a minute of tries, and the reactor continues', async () => {
    let tries = 0;
    const { house, engine, seen } = await started(async (event) => {
      if (event.revision === 0) tries++;
      await thirteen(event);
    });
    await house.append('jar-a', coinsAdded('a', '1', 13), coinsAdded('a', '2', 1));
    await house.clock.advance(59_000);
    expect(tries).toBeGreaterThan(3);
    expect(house.jobs.entries.size).toBe(0);
    await house.clock.advance(10_000);
    expect(revisionsOf(seen, 'jar-a')).toEqual([1]);
    const [{ id, stream, revision }] = house.store.log as [RecordedEvent];
    expect(await house.jobs.list({ queue: PARKED_REACTIONS, limit: 10 })).toEqual([
      expect.objectContaining({
        key: `counting:${id}`,
        status: 'parked',
        data: { reactor: 'counting', stream, revision, event: id, error: 'Error: thirteen' },
        error: 'Error: thirteen',
      }),
    ]);
    expect(await house.readModels.readCheckpoint(COUNTING)).toBe(await house.store.readHead());
    await engine.stop();
  });

  it('is not parked when it succeeds within a minute, and delays no other stream', async () => {
    const { house, engine, seen } = await started(async ({ stream }) => {
      if (stream !== 'jar-free' && house.clock.monotonic() < 50_000) throw new Error('not now');
    });
    for (let i = 0; i < 40; i++) await house.append(`jar-${i}`, coinsAdded(`${i}`, '1'));
    await house.append('jar-free', coinsAdded('free', '1'));
    await house.clock.advance(1_000);
    expect(seen.map(({ stream }) => stream)).toEqual(['jar-free']);
    await house.clock.advance(60_000);
    expect(seen).toHaveLength(41);
    expect(house.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('does not keep the process from stopping while it is retried', async () => {
    const { house, engine, seen } = await started(() => Promise.reject(new Error('not now')));
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(1_000);
    await engine.stop();
    expect([seen, house.jobs.entries.size]).toEqual([[], 0]);
  });
});

describe('A parked reaction', () => {
  async function parked() {
    const refused = new Set(['not yet']);
    const all = await started(async () => {
      for (const why of refused) throw new Error(why);
    });
    await all.house.append('jar-a', coinsAdded('a', '1', 13));
    await all.house.clock.advance(70_000);
    const release = async () => {
      const [job] = await all.house.jobs.list({ status: 'parked', limit: 1 });
      await all.house.jobs.release(job!.key, new Date(all.house.clock.now()).toISOString());
      await all.house.clock.advance(2_000);
    };
    return { ...all, refused, release };
  }

  it('runs once an operator releases it', async () => {
    const { house, engine, seen, refused, release } = await parked();
    await house.clock.advance(60_000);
    expect(seen).toEqual([]);
    refused.clear();
    await release();
    expect(seen).toEqual([house.store.log[0]]);
    expect(house.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('is parked again with its new error when it fails again', async () => {
    const { house, engine, refused, release } = await parked();
    refused.clear();
    refused.add('still not');
    await release();
    expect(await house.jobs.list({ limit: 1 })).toEqual([
      expect.objectContaining({ status: 'parked', error: 'Error: still not' }),
    ]);
    await engine.stop();
  });
});

describe('A reactor during an outage of its store', () => {
  it('waits for the store without a limit, and parks no job', async () => {
    let away = true;
    const { house, engine, seen } = await started(async () => {
      if (away) throw new StoreUnavailable('away', false);
    });
    await house.append('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(60_000);
    expect(engine.status().runners[0]!.failing).toMatchObject({ error: 'StoreUnavailable: away' });
    expect(house.jobs.entries.size).toBe(0);
    away = false;
    await house.clock.advance(10_000);
    expect(seen).toHaveLength(1);
    expect(engine.status().runners[0]!.failing).toBeNull();
    await engine.stop();
  });
});

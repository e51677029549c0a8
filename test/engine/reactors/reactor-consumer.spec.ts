import { parkedReactions } from '../../../src/engine/reactors/parked-reactions.js';
import type { Reactor } from '../../../src/engine/registry.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { COINS_ADDED, type CoinsAdded, coinsAdded, createEvent } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { recordReports } from '../../support/record-reports.js';

const HOUR_MS = 3_600_000;
const COUNTING = 'reactor:counting';

/** Records the events that it handles; `react` may run another function first. */
function counting(
  seen: RecordedEvent[],
  react: (event: RecordedEvent) => Promise<void> = async () => undefined,
): Reactor<CoinsAdded> {
  return {
    name: 'counting',
    types: COINS_ADDED,
    react: async (event) => {
      await react(event);
      seen.push(event);
    },
  };
}

async function started(react?: (event: RecordedEvent) => Promise<void>) {
  const cluster = new TestCluster();
  const seen: RecordedEvent[] = [];
  const { engine } = cluster.createProcess({ reactors: [counting(seen, react)] });
  await engine.start();
  return { cluster, engine, seen };
}

const revisionsOf = (seen: readonly RecordedEvent[], stream: string) =>
  seen.filter((event) => event.stream === stream).map(({ revision }) => revision);

describe('A reactor', () => {
  it('handles the events of its types, and moves over the others', async () => {
    const { cluster, engine, seen } = await started();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.append('lid-a', createEvent('lid', 'LidClosed', {}));
    await cluster.clock.advance(300);
    expect(seen).toEqual([cluster.store.log[0]]);
    expect(await cluster.readModels.readCheckpoint(COUNTING)).toBe(await cluster.store.readHead());
    await engine.stop();
  });

  it('handles the events of one stream in order, and those of another stream concurrently', async () => {
    let waiting = 0;
    let most = 0;
    const { cluster, engine, seen } = await started(async () => {
      most = Math.max(most, ++waiting);
      await cluster.clock.sleep(10);
      waiting--;
    });
    for (let i = 0; i < 200; i++)
      await cluster.store.append(`jar-${i}`, 'none', [coinsAdded(String(i), '1'), coinsAdded(String(i), '2')]);
    await cluster.clock.advance(1_000);
    expect(seen).toHaveLength(400);
    expect(most).toBe(32);
    for (let i = 0; i < 200; i++) expect(revisionsOf(seen, `jar-${i}`)).toEqual([0, 1]);
    await engine.stop();
  });

  it('delays neither another stream nor an earlier page when one stream waits', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { cluster, engine, seen } = await started(async ({ stream, revision }) => {
      if (stream === 'jar-slow' && revision === 0) await released;
    });
    await cluster.append('jar-slow', coinsAdded('slow', '1'));
    await cluster.clock.advance(100);
    await cluster.append('jar-slow', coinsAdded('slow', '2'));
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(100);
    expect(seen.map(({ stream }) => stream)).toEqual(['jar-a']);
    release();
    await cluster.clock.advance(100);
    expect(revisionsOf(seen, 'jar-slow')).toEqual([0, 1]);
    await engine.stop();
  });

  it('keeps its checkpoint before incomplete events, even if later ones are complete', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { cluster, engine, seen } = await started(({ stream }) =>
      stream === 'jar-slow' ? released : Promise.resolve(),
    );
    const before = await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(300);
    await cluster.append('jar-slow', coinsAdded('slow', '1'));
    await cluster.clock.advance(300);
    const last = await cluster.append('jar-b', coinsAdded('b', '1'));
    await cluster.clock.advance(300);
    expect(seen).toHaveLength(2);
    expect(await cluster.readModels.readCheckpoint(COUNTING)).toBe(before);
    release();
    await cluster.clock.advance(300);
    expect(await cluster.readModels.readCheckpoint(COUNTING)).toBe(last);
    await engine.stop();
  });

  it('handles again after a crash only the events after the checkpoint', async () => {
    const { cluster, engine, seen } = await started();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(10);
    cluster.readModels.checkpointsUnavailable = true;
    await cluster.append('jar-a', coinsAdded('a', '2'));
    await cluster.clock.advance(10);
    await engine.stop();

    cluster.readModels.checkpointsUnavailable = false;
    const { engine: next } = cluster.createProcess({ reactors: [counting(seen)] }, 'next process');
    await next.start();
    await cluster.clock.advance(2_000);
    expect(revisionsOf(seen, 'jar-a')).toEqual([0, 1, 1]);
    await next.stop();
  });

  it('runs in one of several processes, and in another when that process stops', async () => {
    const { cluster, engine, seen } = await started();
    const { engine: other } = cluster.createProcess({ reactors: [counting(seen)] }, 'other');
    await other.start();
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(5_000);
    expect(seen).toHaveLength(1);
    await engine.stop();
    await cluster.append('jar-a', coinsAdded('a', '2'));
    await cluster.clock.advance(2_000);
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
    const { cluster, engine, seen } = await started(async (event) => {
      if (event.revision === 0) tries++;
      await thirteen(event);
    });
    await cluster.append('jar-a', coinsAdded('a', '1', 13), coinsAdded('a', '2', 1));
    await cluster.clock.advance(59_000);
    expect(tries).toBeGreaterThan(3);
    expect(cluster.jobs.entries.size).toBe(0);
    await cluster.clock.advance(10_000);
    expect(revisionsOf(seen, 'jar-a')).toEqual([1]);
    const [{ id, stream, revision }] = cluster.store.log as [RecordedEvent];
    expect(await cluster.jobs.list({ queue: parkedReactions.name, limit: 10 })).toEqual([
      expect.objectContaining({
        key: `counting:${id}`,
        status: 'parked',
        data: { reactor: 'counting', stream, revision, event: id, error: 'Error: thirteen' },
        error: 'Error: thirteen',
      }),
    ]);
    expect(await cluster.readModels.readCheckpoint(COUNTING)).toBe(await cluster.store.readHead());
    await engine.stop();
  });

  it('is reported when it fails and once when it is parked', async () => {
    const reports = recordReports();
    const { cluster, engine } = await started(() => Promise.reject(new TypeError('no jar')));
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(120_000);
    reports.stop();
    await engine.stop();

    const work = `reactor counting ${cluster.store.log[0]!.id}`;
    expect(new Set(reports.list.map((report) => JSON.stringify(report)))).toEqual(
      new Set([JSON.stringify(['failed', work, 'no jar']), JSON.stringify(['parked', work, 'no jar'])]),
    );
    expect(reports.list.filter(([what]) => what === 'parked')).toHaveLength(1);
  });

  it('is not parked when it succeeds within a minute, and delays no other stream', async () => {
    const { cluster, engine, seen } = await started(async ({ stream }) => {
      if (stream !== 'jar-free' && cluster.clock.monotonic() < 50_000) throw new Error('not now');
    });
    for (let i = 0; i < 40; i++) await cluster.append(`jar-${i}`, coinsAdded(`${i}`, '1'));
    await cluster.append('jar-free', coinsAdded('free', '1'));
    await cluster.clock.advance(1_000);
    expect(seen.map(({ stream }) => stream)).toEqual(['jar-free']);
    await cluster.clock.advance(60_000);
    expect(seen).toHaveLength(41);
    expect(cluster.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('does not keep the process from stopping while it is retried', async () => {
    const { cluster, engine, seen } = await started(() => Promise.reject(new Error('not now')));
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(1_000);
    await engine.stop();
    expect([seen, cluster.jobs.entries.size]).toEqual([[], 0]);
  });
});

describe('A parked reaction', () => {
  async function parked() {
    const refused = new Set(['not yet']);
    const outage = { isOn: false };
    const all = await started(async () => {
      if (outage.isOn) throw new StoreUnavailable('away', false);
      for (const reason of refused) throw new Error(reason);
    });
    await all.cluster.append('jar-a', coinsAdded('a', '1', 13));
    await all.cluster.clock.advance(70_000);
    const release = async () => {
      const [job] = await all.cluster.jobs.list({ status: 'parked', limit: 1 });
      await all.cluster.jobs.release(job!.key, new Date(all.cluster.clock.now()).toISOString());
      await all.cluster.clock.advance(2_000);
    };
    return { ...all, refused, outage, release };
  }

  it('runs once an operator releases it', async () => {
    const { cluster, engine, seen, refused, release } = await parked();
    await cluster.clock.advance(60_000);
    expect(seen).toEqual([]);
    refused.clear();
    await release();
    expect(seen).toEqual([cluster.store.log[0]]);
    expect(cluster.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('runs after an outage in which an operator has released it, however long the outage is', async () => {
    const { cluster, engine, seen, refused, outage, release } = await parked();
    refused.clear();
    outage.isOn = true;
    await release();
    await cluster.clock.advance(HOUR_MS);
    expect(await cluster.jobs.list({ status: 'parked', limit: 1 })).toEqual([]);
    expect(seen).toEqual([]);
    outage.isOn = false;
    await cluster.clock.advance(HOUR_MS);
    expect(seen).toEqual([cluster.store.log[0]]);
    expect(cluster.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('is parked again with its new error when it fails again', async () => {
    const { cluster, engine, refused, release } = await parked();
    refused.clear();
    refused.add('still not');
    await release();
    expect(await cluster.jobs.list({ limit: 1 })).toEqual([
      expect.objectContaining({ status: 'parked', error: 'Error: still not' }),
    ]);
    await engine.stop();
  });
});

describe('A parked reaction to one of several events of a stream', () => {
  /** Parks the second of three events; a process with these reactors gets it when an operator releases it. */
  async function releaseIn(reactors: (seen: RecordedEvent[]) => Reactor<CoinsAdded>[]) {
    const { cluster, engine } = await started(async ({ revision }) => {
      if (revision === 1) throw new Error('not yet');
    });
    await cluster.append('jar-a', coinsAdded('a', '1'), coinsAdded('a', '2'), coinsAdded('a', '3'));
    await cluster.clock.advance(70_000);
    await engine.stop();
    const seen: RecordedEvent[] = [];
    const { engine: next } = cluster.createProcess({ reactors: reactors(seen) }, 'next process');
    await next.start();
    const [job] = await cluster.jobs.list({ status: 'parked', limit: 1 });
    await cluster.jobs.release(job!.key, new Date(cluster.clock.now()).toISOString());
    await cluster.clock.advance(2_000);
    await next.stop();
    return { cluster, seen };
  }

  it('handles this event only', async () => {
    const { seen } = await releaseIn((handled) => [counting(handled)]);

    expect(revisionsOf(seen, 'jar-a')).toEqual([1]);
  });

  it('is parked again when the reactor is not in the code', async () => {
    const { cluster } = await releaseIn(() => []);

    expect(await cluster.jobs.list({ limit: 2 })).toEqual([
      expect.objectContaining({
        status: 'parked',
        error: 'there is no reactor counting in this version of the service',
      }),
    ]);
  });

  it('is reported when it fails again', async () => {
    const reports = recordReports();
    const { cluster } = await releaseIn((handled) => [counting(handled, () => Promise.reject(new Error('never')))]);
    reports.stop();

    expect(reports.list.at(-1)).toEqual(['parked', expect.stringContaining(cluster.store.log[1]!.id), 'Error: never']);
  });
});

describe('A reactor during an outage of its store', () => {
  it('waits for the store without a limit, and parks no job', async () => {
    let away = true;
    const { cluster, engine, seen } = await started(async () => {
      if (away) throw new StoreUnavailable('away', false);
    });
    await cluster.append('jar-a', coinsAdded('a', '1'));
    await cluster.clock.advance(60_000);
    expect(engine.status().runners[0]!.failing).toMatchObject({ error: 'StoreUnavailable: away' });
    expect(cluster.jobs.entries.size).toBe(0);
    away = false;
    await cluster.clock.advance(10_000);
    expect(seen).toHaveLength(1);
    expect(engine.status().runners[0]!.failing).toBeNull();
    await engine.stop();
  });
});

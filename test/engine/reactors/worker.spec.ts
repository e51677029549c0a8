import type { JobHandler } from '../../../src/engine/registry.js';
import { toIso } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Job, NewJob } from '../../../src/kernel/jobs.js';
import { declareQueue } from '../../../src/kernel/queue.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { recordReports } from '../../support/record-reports.js';

interface Chore {
  readonly key: string;
}

type Handler = JobHandler<Chore>;

const chores = declareQueue<Chore>({ name: 'chores' });

async function working(
  run: Handler['run'],
  options: Partial<Handler> = {},
  cluster = new TestCluster(),
  holder = 'process 1',
) {
  const { engine } = cluster.createProcess({ jobs: [{ queue: chores, concurrency: 4, ...options, run }] }, holder);
  await engine.start();
  return { cluster, engine };
}

function chore(cluster: TestCluster, key: string, inMs = 0): NewJob {
  return chores.createJob({ key, due: toIso(cluster.clock.now() + inMs), data: { key } });
}

describe('A worker', () => {
  it('runs a job once, as soon as it is enqueued', async () => {
    const done: Job[] = [];
    const { cluster, engine } = await working(async (job) => void done.push(job));
    await cluster.clock.advance(100);
    const sweep = chore(cluster, 'sweep');
    await cluster.jobs.enqueue([sweep]);
    await cluster.clock.advance(0);
    expect(done).toEqual([{ ...sweep, id: '1', attempt: 1, failures: 0 }]);
    expect(cluster.jobs.entries.size).toBe(0);
    await cluster.clock.advance(60_000);
    expect(done).toHaveLength(1);
    await engine.stop();
  });

  it('waits for the due time of a job', async () => {
    const done: number[] = [];
    const { cluster, engine } = await working(async () => void done.push(cluster.clock.monotonic()));
    await cluster.jobs.enqueue([chore(cluster, 'sweep', 2_500)]);
    await cluster.clock.advance(10_000);
    expect(done).toEqual([2_500]);
    await engine.stop();
  });

  it('moves a job that a clock dated too late, and no other job', async () => {
    const done: string[] = [];
    const cluster = new TestCluster();
    const [hour, year] = [3_600_000, 31_536_000_000];
    await cluster.jobs.enqueue([chore(cluster, 'dated ahead', year), chore(cluster, 'soon', hour / 2)]);
    const { engine } = await working(async ({ key }) => void done.push(key), { maxDelayMs: hour }, cluster);
    await cluster.clock.advance(hour / 2);
    expect(done).toEqual(['soon']);
    await cluster.clock.advance(hour / 2);
    expect(done).toEqual(['soon', 'dated ahead']);

    await cluster.jobs.enqueue([chore(cluster, 'dated later', year)]);
    await cluster.clock.advance(2 * hour);
    expect(done).toContain('dated later');
    await engine.stop();
  });

  it('runs as many concurrent jobs as allowed, and the next one as soon as one ends', async () => {
    let running = 0;
    let most = 0;
    const { cluster, engine } = await working(async () => {
      most = Math.max(most, ++running);
      await cluster.clock.sleep(100);
      running--;
    });
    await cluster.jobs.enqueue(Array.from({ length: 12 }, (_, i) => chore(cluster, `sweep ${i}`)));
    await cluster.clock.advance(299);
    expect(cluster.jobs.entries.size).toBe(4);
    await cluster.clock.advance(1);
    expect(cluster.jobs.entries.size).toBe(0);
    expect(most).toBe(4);
    await engine.stop();
  });

  it('shares a queue with other processes, each job going to one', async () => {
    const done: string[] = [];
    const run: Handler['run'] = async ({ key }) => void done.push(key);
    const { cluster, engine } = await working(run);
    const { engine: other } = await working(run, {}, cluster, 'process 2');
    const keys = Array.from({ length: 50 }, (_, i) => `sweep ${i}`);
    await cluster.jobs.enqueue(keys.map((key) => chore(cluster, key)));
    await cluster.clock.advance(1_000);
    expect(done.toSorted()).toEqual(keys.toSorted());
    await engine.stop();
    await other.stop();
  });
});

describe('A job that fails', () => {
  it('is reported at each failure, and when it is parked', async () => {
    const reports = recordReports();
    const { cluster, engine } = await working(async () => {
      throw new TypeError('broken broom');
    });
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(3_600_000);
    reports.stop();

    expect(reports.list).toEqual([
      ...Array.from({ length: 9 }, () => ['failed', 'job chores sweep', 'broken broom']),
      ['parked', 'job chores sweep', 'broken broom'],
    ]);
    await engine.stop();
  });

  it('is retried with growing delays, and parked after the tenth failure', async () => {
    const tries: number[] = [];
    const { cluster, engine } = await working(async () => {
      tries.push(cluster.clock.monotonic());
      throw new Error('broken broom');
    });
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(3_600_000);
    const pauses = tries.slice(1).map((at, i) => at - tries[i]!);
    expect(tries).toHaveLength(10);
    pauses.forEach((pause, i) => expect(pause).toBeGreaterThanOrEqual(500 * 2 ** i));
    pauses.forEach((pause, i) => expect(pause).toBeLessThanOrEqual(1_000 * 2 ** i + 1));
    expect(cluster.jobs.entries.get('sweep')).toMatchObject({ parked: true, error: 'Error: broken broom' });
    await engine.stop();
  });

  it('is retried throughout an outage of the store, and never parked for it', async () => {
    let tries = 0;
    const { cluster, engine } = await working(async () => {
      if (++tries <= 15) throw new StoreUnavailable('the store is away', false);
    });
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(4 * 3_600_000);
    expect(tries).toBe(16);
    expect(cluster.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('is parked after ten failures in any processes', async () => {
    const tries: string[] = [];
    const cluster = new TestCluster();
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    for (let life = 1; life <= 3; life++) {
      const failing: Handler['run'] = async () => {
        tries.push(`process ${life}`);
        throw new Error('broken broom');
      };
      const { engine } = await working(failing, {}, cluster, `process ${life}`);
      while (tries.length < 4 * life && tries.length < 10) await cluster.clock.advance(1_000);
      await engine.stop();
    }
    await cluster.clock.advance(3_600_000);
    expect(tries).toHaveLength(10);
    expect(await cluster.jobs.find('sweep')).toMatchObject({ status: 'parked', failures: 10 });
  });

  it('is completed when a later try succeeds', async () => {
    let tries = 0;
    const { cluster, engine } = await working(async () => {
      if (++tries < 3) throw new Error('broken broom');
    });
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(60_000);
    expect(tries).toBe(3);
    expect(cluster.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('does not block other jobs', async () => {
    const done: string[] = [];
    const { cluster, engine } = await working(
      async ({ key }) => {
        if (key === 'bad') throw new Error('broken broom');
        done.push(key);
      },
      { concurrency: 1 },
    );
    await cluster.jobs.enqueue([chore(cluster, 'bad'), chore(cluster, 'good')]);
    await cluster.clock.advance(10);
    expect(done).toEqual(['good']);
    await engine.stop();
  });
});

describe('A job with a newer version of data', () => {
  interface NamedChore extends Chore {
    readonly name: string;
  }
  const named = declareQueue<NamedChore>({
    name: 'chores',
    upcasters: [({ key }: Chore) => ({ key, name: `chore ${key}` })],
  });

  it('waits for a process that knows the version', async () => {
    const reports = recordReports();
    const done: NamedChore[] = [];
    const { cluster, engine } = await working(async ({ data }) => void done.push(data as NamedChore));
    const sweep = { key: 'sweep', due: toIso(cluster.clock.now()), data: { key: 'sweep', name: 'sweep the floor' } };
    await cluster.jobs.enqueue([named.createJob(sweep)]);
    await cluster.clock.advance(3_600_000);
    expect(done).toEqual([]);
    expect(await cluster.jobs.find('sweep')).toMatchObject({
      status: 'waiting',
      error: expect.stringMatching(/newer/),
    });
    await engine.stop();

    const run = async ({ data }: Job<NamedChore>) => void done.push(data);
    const newer = cluster.createProcess({ jobs: [{ queue: named, concurrency: 4, run }] }, 'process 2').engine;
    await newer.start();
    await cluster.clock.advance(600_000);
    expect([done, cluster.jobs.entries.size]).toEqual([[{ ...sweep.data, _v: 2 }], 0]);
    expect(reports.list.map(([what]) => what)).not.toContain('parked');
    reports.stop();
    await newer.stop();
  });

  it('keeps the version when it is rescheduled', async () => {
    const cluster = new TestCluster();
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    const run = async ({ data }: Job<NamedChore>) => ({ at: '2027-01-01T00:00:00.000Z', reason: 'later', data });
    const { engine } = cluster.createProcess({ jobs: [{ queue: named, concurrency: 4, run }] }, 'process 1');
    await engine.start();
    await cluster.clock.advance(0);
    expect((await cluster.jobs.find('sweep'))?.data).toEqual({ key: 'sweep', name: 'chore sweep', _v: 2 });
    await engine.stop();
  });
});

describe('A job that reschedules itself', () => {
  it('runs again at that time, without counting as failed', async () => {
    const runs: number[] = [];
    const { cluster, engine } = await working(async () => {
      runs.push(cluster.clock.monotonic());
      return runs.length < 15 ? { at: toIso(cluster.clock.now() + 1_000), reason: 'not yet' } : undefined;
    });
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(20_000);
    expect(runs).toEqual(Array.from({ length: 15 }, (_, i) => i * 1_000));
    expect(cluster.jobs.entries.size).toBe(0);
    await engine.stop();
  });
});

describe('The lease of a job', () => {
  it('is renewed for as long as the job runs', async () => {
    let runs = 0;
    const { cluster, engine } = await working(async () => {
      runs++;
      await cluster.clock.sleep(200_000);
    });
    const { engine: other } = await working(async () => void runs++, {}, cluster, 'process 2');
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(210_000);
    expect(runs).toBe(1);
    expect(cluster.jobs.entries.size).toBe(0);
    await engine.stop();
    await other.stop();
  });

  it('discards the outcome once it is lost', async () => {
    let finish: () => void = () => undefined;
    const { cluster, engine } = await working(() => new Promise<void>((resolve) => (finish = resolve)), {
      concurrency: 1,
    });
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(1);
    // Simulates a process that paused longer than its lease: another process claims the job.
    const entry = cluster.jobs.entries.get('sweep')!;
    cluster.jobs.entries.set('sweep', { ...entry, lease: 0 });
    const [otherJob] = await cluster.jobs.claim('chores', { limit: 1, leaseMs: 30_000, holder: 'other' });
    finish();
    await cluster.clock.advance(1_000);
    expect(cluster.jobs.entries.get('sweep')).toMatchObject({ job: { attempt: 2 } });
    expect(await cluster.jobs.complete(otherJob!)).toBe(true);
    await engine.stop();
  });

  it('goes to another process within 20 s after its process has died, even during a long run', async () => {
    const { cluster, engine } = await working(() => cluster.clock.sleep(200_000));
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.clock.advance(100_000);
    expect(cluster.jobs.entries.get('sweep')!.lease).toBeLessThan(cluster.clock.now() + 20_000);
    await cluster.clock.advance(100_000);
    await engine.stop();
  });

  it('expires when its process has died, and the job runs again', async () => {
    const cluster = new TestCluster();
    await cluster.jobs.enqueue([chore(cluster, 'sweep')]);
    await cluster.jobs.claim('chores', { limit: 1, leaseMs: 5_000, holder: 'gone' });
    const runs: { attempt: number; at: number }[] = [];
    const { engine } = await working(
      async ({ attempt }) => void runs.push({ attempt, at: cluster.clock.monotonic() }),
      {},
      cluster,
    );
    await cluster.clock.advance(10_000);
    expect(runs).toEqual([{ attempt: 2, at: 5_000 }]);
    await engine.stop();
  });
});

describe('A stopping worker', () => {
  it('claims no further job, and reports the outcome of running ones', async () => {
    const { cluster, engine } = await working(() => cluster.clock.sleep(1_000), { concurrency: 1 });
    await cluster.jobs.enqueue([chore(cluster, 'first'), chore(cluster, 'second')]);
    await cluster.clock.advance(10);
    const stopping = engine.stop();
    await cluster.clock.advance(5_000);
    await stopping;
    expect([...cluster.jobs.entries.keys()]).toEqual(['second']);
  });
});

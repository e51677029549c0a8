import type { JobHandler } from '../../../src/engine/registry.js';
import { toIso } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Job, NewJob } from '../../../src/kernel/jobs.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

type Run = JobHandler['run'];

async function working(run: Run, options: Partial<JobHandler> = {}, house = new TestCluster(), holder = 'process 1') {
  const { engine } = house.createProcess({ jobs: [{ queue: 'chores', concurrency: 4, ...options, run }] }, holder);
  await engine.start();
  return { house, engine };
}

function chore(house: TestCluster, key: string, inMs = 0): NewJob {
  return { key, queue: 'chores', due: toIso(house.clock.now() + inMs), data: { key } };
}

describe('A worker', () => {
  it('runs a job once, as soon as it is enqueued', async () => {
    const done: Job[] = [];
    const { house, engine } = await working(async (job) => void done.push(job));
    await house.clock.advance(100);
    const sweep = chore(house, 'sweep');
    await house.jobs.enqueue([sweep]);
    await house.clock.advance(0);
    expect(done).toEqual([{ ...sweep, id: '1', attempt: 1, failures: 0 }]);
    expect(house.jobs.entries.size).toBe(0);
    await house.clock.advance(60_000);
    expect(done).toHaveLength(1);
    await engine.stop();
  });

  it('waits for the due time of a job', async () => {
    const done: number[] = [];
    const { house, engine } = await working(async () => void done.push(house.clock.monotonic()));
    await house.jobs.enqueue([chore(house, 'sweep', 2_500)]);
    await house.clock.advance(10_000);
    expect(done).toEqual([2_500]);
    await engine.stop();
  });

  it('runs as many concurrent jobs as allowed, and the next one as soon as one ends', async () => {
    let running = 0;
    let most = 0;
    const { house, engine } = await working(async () => {
      most = Math.max(most, ++running);
      await house.clock.sleep(100);
      running--;
    });
    await house.jobs.enqueue(Array.from({ length: 12 }, (_, i) => chore(house, `sweep ${i}`)));
    await house.clock.advance(299);
    expect(house.jobs.entries.size).toBe(4);
    await house.clock.advance(1);
    expect(house.jobs.entries.size).toBe(0);
    expect(most).toBe(4);
    await engine.stop();
  });

  it('shares a queue with other processes, each job going to one', async () => {
    const done: string[] = [];
    const run: Run = async ({ key }) => void done.push(key);
    const { house, engine } = await working(run);
    const { engine: other } = await working(run, {}, house, 'process 2');
    const keys = Array.from({ length: 50 }, (_, i) => `sweep ${i}`);
    await house.jobs.enqueue(keys.map((key) => chore(house, key)));
    await house.clock.advance(1_000);
    expect(done.toSorted()).toEqual(keys.toSorted());
    await engine.stop();
    await other.stop();
  });
});

describe('A job that fails', () => {
  it('is retried with growing delays, and parked after the tenth failure', async () => {
    const tries: number[] = [];
    const { house, engine } = await working(async () => {
      tries.push(house.clock.monotonic());
      throw new Error('broken broom');
    });
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.clock.advance(3_600_000);
    const pauses = tries.slice(1).map((at, i) => at - tries[i]!);
    expect(tries).toHaveLength(10);
    pauses.forEach((pause, i) => expect(pause).toBeGreaterThanOrEqual(500 * 2 ** i));
    pauses.forEach((pause, i) => expect(pause).toBeLessThanOrEqual(1_000 * 2 ** i + 1));
    expect(house.jobs.entries.get('sweep')).toMatchObject({ parked: true, error: 'Error: broken broom' });
    await engine.stop();
  });

  it('is retried throughout an outage of the store, and never parked for it', async () => {
    let tries = 0;
    const { house, engine } = await working(async () => {
      if (++tries <= 15) throw new StoreUnavailable('the store is away', false);
    });
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.clock.advance(4 * 3_600_000);
    expect(tries).toBe(16);
    expect(house.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('is parked after ten failures in any processes', async () => {
    const tries: string[] = [];
    const house = new TestCluster();
    await house.jobs.enqueue([chore(house, 'sweep')]);
    for (let life = 1; life <= 3; life++) {
      const failing: Run = async () => {
        tries.push(`process ${life}`);
        throw new Error('broken broom');
      };
      const { engine } = await working(failing, {}, house, `process ${life}`);
      while (tries.length < 4 * life && tries.length < 10) await house.clock.advance(1_000);
      await engine.stop();
    }
    await house.clock.advance(3_600_000);
    expect(tries).toHaveLength(10);
    expect(await house.jobs.find('sweep')).toMatchObject({ status: 'parked', failures: 10 });
  });

  it('is completed when a later try succeeds', async () => {
    let tries = 0;
    const { house, engine } = await working(async () => {
      if (++tries < 3) throw new Error('broken broom');
    });
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.clock.advance(60_000);
    expect(tries).toBe(3);
    expect(house.jobs.entries.size).toBe(0);
    await engine.stop();
  });

  it('does not block other jobs', async () => {
    const done: string[] = [];
    const { house, engine } = await working(
      async ({ key }) => {
        if (key === 'bad') throw new Error('broken broom');
        done.push(key);
      },
      { concurrency: 1 },
    );
    await house.jobs.enqueue([chore(house, 'bad'), chore(house, 'good')]);
    await house.clock.advance(10);
    expect(done).toEqual(['good']);
    await engine.stop();
  });
});

describe('A job that reschedules itself', () => {
  it('runs again at that time, without counting as failed', async () => {
    const runs: number[] = [];
    const { house, engine } = await working(async () => {
      runs.push(house.clock.monotonic());
      return runs.length < 15 ? { at: toIso(house.clock.now() + 1_000), reason: 'not yet' } : undefined;
    });
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.clock.advance(20_000);
    expect(runs).toEqual(Array.from({ length: 15 }, (_, i) => i * 1_000));
    expect(house.jobs.entries.size).toBe(0);
    await engine.stop();
  });
});

describe('The lease of a job', () => {
  it('is renewed for as long as the job runs', async () => {
    let runs = 0;
    const { house, engine } = await working(async () => {
      runs++;
      await house.clock.sleep(200_000);
    });
    const { engine: other } = await working(async () => void runs++, {}, house, 'process 2');
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.clock.advance(210_000);
    expect(runs).toBe(1);
    expect(house.jobs.entries.size).toBe(0);
    await engine.stop();
    await other.stop();
  });

  it('discards the outcome once it is lost', async () => {
    let finish: () => void = () => undefined;
    const { house, engine } = await working(() => new Promise<void>((resolve) => (finish = resolve)), {
      concurrency: 1,
    });
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.clock.advance(1);
    // Simulates a process that paused longer than its lease: another process claims the job.
    const entry = house.jobs.entries.get('sweep')!;
    house.jobs.entries.set('sweep', { ...entry, lease: 0 });
    const [theirs] = await house.jobs.claim('chores', { limit: 1, leaseMs: 30_000, holder: 'other' });
    finish();
    await house.clock.advance(1_000);
    expect(house.jobs.entries.get('sweep')).toMatchObject({ job: { attempt: 2 } });
    expect(await house.jobs.complete(theirs!)).toBe(true);
    await engine.stop();
  });

  it('goes to another process within 20 s after its process has died, even during a long run', async () => {
    const { house, engine } = await working(() => house.clock.sleep(200_000));
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.clock.advance(100_000);
    expect(house.jobs.entries.get('sweep')!.lease).toBeLessThan(house.clock.now() + 20_000);
    await house.clock.advance(100_000);
    await engine.stop();
  });

  it('expires when its process has died, and the job runs again', async () => {
    const house = new TestCluster();
    await house.jobs.enqueue([chore(house, 'sweep')]);
    await house.jobs.claim('chores', { limit: 1, leaseMs: 5_000, holder: 'gone' });
    const runs: { attempt: number; at: number }[] = [];
    const { engine } = await working(
      async ({ attempt }) => void runs.push({ attempt, at: house.clock.monotonic() }),
      {},
      house,
    );
    await house.clock.advance(10_000);
    expect(runs).toEqual([{ attempt: 2, at: 5_000 }]);
    await engine.stop();
  });
});

describe('A stopping worker', () => {
  it('claims no further job, and reports the outcome of running ones', async () => {
    const { house, engine } = await working(() => house.clock.sleep(1_000), { concurrency: 1 });
    await house.jobs.enqueue([chore(house, 'first'), chore(house, 'second')]);
    await house.clock.advance(10);
    const stopping = engine.stop();
    await house.clock.advance(5_000);
    await stopping;
    expect([...house.jobs.entries.keys()]).toEqual(['second']);
  });
});

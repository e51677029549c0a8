import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { Holder } from '../../../src/kernel/holder.js';
import type { Attempts } from '../../../src/webhooks/sending/attempts.js';
import { Dispatches } from '../../../src/webhooks/sending/dispatches.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const ATTEMPT_MS = 20_000;
const LEASE_MS = 12_000;
const MARGIN_MS = 2_000;

describe('The name under which a process begins attempts', () => {
  let clock: ManualClock;
  let models: MemoryReadModels;
  beforeEach(() => {
    clock = new ManualClock();
    models = new MemoryReadModels(clock);
  });

  const process = (name: string, attemptMs = ATTEMPT_MS) =>
    new Dispatches(models, new Holder(name), clock, { leaseMs: () => attemptMs } as unknown as Attempts);

  it('is its own', async () => {
    expect(await process('one').own()).toEqual({ job: 'dispatch:1', attempt: 1 });
    expect(await process('two').own()).toEqual({ job: 'dispatch:2', attempt: 1 });
  });

  it('stays the same while it is used', async () => {
    const one = process('one');
    const first = await one.own();
    for (let i = 0; i < 20; i++) {
      await clock.advance(ATTEMPT_MS);
      expect(await one.own()).toEqual(first);
    }
  });

  it('outlives every attempt that was begun under it', async () => {
    const [one, two] = [process('one'), process('two')];
    for (let waited = 0; waited < 10 * ATTEMPT_MS; waited += 7_000) {
      await clock.advance(7_000);
      const run = await one.own();
      await clock.advance(ATTEMPT_MS - 1);
      expect(await two.laterThan(run)).toBeNull();
    }
  });

  it('is over once its process is gone', async () => {
    const [one, two] = [process('one'), process('two')];
    const run = await one.own();
    await clock.advance(10 * ATTEMPT_MS);
    expect(await two.laterThan(run)).toEqual({ job: run.job, attempt: run.attempt + 1 });
    expect(await process('three').own()).toMatchObject({ job: run.job, attempt: run.attempt + 2 });
  });

  it('is over soon when its process is gone, however long its attempts may take', async () => {
    const [one, two] = [process('one', 600_000), process('two')];
    const run = await one.own();
    await clock.advance(60_000);
    expect(await two.laterThan(run)).toBeNull();
    one.onApplicationShutdown();
    await clock.advance(12_000);
    expect(await two.laterThan(run)).toEqual({ job: run.job, attempt: run.attempt + 1 });
  });

  it('stays the same when another took one before it that had become free', async () => {
    const [one, two] = [process('one'), process('two')];
    await one.own();
    const second = await two.own();
    one.onApplicationShutdown();
    for (let i = 0; i < 5; i++) {
      await clock.advance(ATTEMPT_MS);
      expect(await two.own()).toEqual(second);
    }
  });

  it('is a later run after an idle time in which another process had the name', async () => {
    const [one, two] = [process('one'), process('two')];
    const run = await one.own();
    await clock.advance(10 * ATTEMPT_MS);
    const later = await two.laterThan(run);
    expect(later).toEqual({ job: run.job, attempt: run.attempt + 1 });
    expect(await one.own()).toEqual({ job: run.job, attempt: run.attempt + 2 });
  });

  it('is refused, while the store is away, once less than the margin is left of the lease', async () => {
    const one = process('one');
    const run = await one.own();
    models.lease = () => Promise.reject(new StoreUnavailable('the store is away', false));
    await clock.advance(LEASE_MS - MARGIN_MS - 1);
    expect(await one.own()).toEqual(run);
    await clock.advance(1);
    await expect(one.own()).rejects.toThrow(StoreUnavailable);
  });

  it('is never over for the process that has it', async () => {
    const one = process('one');
    const run = await one.own();
    expect(await one.laterThan(run)).toBeNull();
    await clock.advance(10 * ATTEMPT_MS);
    expect(await one.laterThan(run)).toBeNull();
  });
});

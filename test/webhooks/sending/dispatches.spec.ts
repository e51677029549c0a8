import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { Holder } from '../../../src/kernel/holder.js';
import type { Attempts } from '../../../src/webhooks/sending/attempts.js';
import { Dispatches } from '../../../src/webhooks/sending/dispatches.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const ATTEMPT_MS = 20_000;
const LEASE_MS = 12_000;
const MARGIN_MS = 2_000;

describe('The dispatcher lease of a process', () => {
  let clock: ManualClock;
  let models: MemoryReadModels;
  beforeEach(() => {
    clock = new ManualClock();
    models = new MemoryReadModels(clock);
  });

  const process = (name: string, attemptMs = ATTEMPT_MS) =>
    new Dispatches(models, new Holder(name), clock, { leaseMs: () => attemptMs } as unknown as Attempts);

  it('has a name that no other process has', async () => {
    expect(await process('one').own()).toEqual({ job: 'dispatch:1', attempt: 1 });
    expect(await process('two').own()).toEqual({ job: 'dispatch:2', attempt: 1 });
  });

  it('keeps its name while attempts use it', async () => {
    const one = process('one');
    const first = await one.own();
    for (let i = 0; i < 20; i++) {
      await clock.advance(ATTEMPT_MS);
      expect(await one.own()).toEqual(first);
    }
  });

  it('outlasts every attempt that started under it', async () => {
    const [one, two] = [process('one'), process('two')];
    for (let waited = 0; waited < 10 * ATTEMPT_MS; waited += 7_000) {
      await clock.advance(7_000);
      const run = await one.own();
      await clock.advance(ATTEMPT_MS - 1);
      expect(await two.laterThan(run)).toBeNull();
    }
  });

  it('has a successor after its process has died', async () => {
    const [one, two] = [process('one'), process('two')];
    const run = await one.own();
    await clock.advance(10 * ATTEMPT_MS);
    expect(await two.laterThan(run)).toEqual({ job: run.job, attempt: run.attempt + 1 });
    expect(await process('three').own()).toMatchObject({ job: run.job, attempt: run.attempt + 2 });
  });

  it('has a successor soon after its process has died, even if attempts may take long', async () => {
    const [one, two] = [process('one', 600_000), process('two')];
    const run = await one.own();
    await clock.advance(60_000);
    expect(await two.laterThan(run)).toBeNull();
    one.onApplicationShutdown();
    await clock.advance(12_000);
    expect(await two.laterThan(run)).toEqual({ job: run.job, attempt: run.attempt + 1 });
  });

  it('keeps its name when another process leases a free name with a lower number', async () => {
    const [one, two] = [process('one'), process('two')];
    await one.own();
    const second = await two.own();
    one.onApplicationShutdown();
    for (let i = 0; i < 5; i++) {
      await clock.advance(ATTEMPT_MS);
      expect(await two.own()).toEqual(second);
    }
  });

  it('gets a later lease number after another process has used its name', async () => {
    const [one, two] = [process('one'), process('two')];
    const run = await one.own();
    await clock.advance(10 * ATTEMPT_MS);
    const later = await two.laterThan(run);
    expect(later).toEqual({ job: run.job, attempt: run.attempt + 1 });
    expect(await one.own()).toEqual({ job: run.job, attempt: run.attempt + 2 });
  });

  it('refuses an owner while the store is unavailable and less than the margin of the lease remains', async () => {
    const one = process('one');
    const run = await one.own();
    models.lease = () => Promise.reject(new StoreUnavailable('the store is away', false));
    await clock.advance(LEASE_MS - MARGIN_MS - 1);
    expect(await one.own()).toEqual(run);
    await clock.advance(1);
    await expect(one.own()).rejects.toThrow(StoreUnavailable);
  });

  it('has no successor in the process that holds it', async () => {
    const one = process('one');
    const run = await one.own();
    expect(await one.laterThan(run)).toBeNull();
    await clock.advance(10 * ATTEMPT_MS);
    expect(await one.laterThan(run)).toBeNull();
  });
});

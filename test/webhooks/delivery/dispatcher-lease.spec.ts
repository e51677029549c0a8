import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { ProcessId } from '../../../src/kernel/process-id.js';
import type { Attempts } from '../../../src/webhooks/delivery/attempts.js';
import { DispatcherLease } from '../../../src/webhooks/delivery/dispatcher-lease.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const ATTEMPT_MS = 20_000;
const LEASE_MS = 12_000;
const MARGIN_MS = 2_000;

describe('The dispatcher lease of a process', () => {
  let clock: ManualClock;
  let leases: MemoryReadModels;
  beforeEach(() => {
    clock = new ManualClock();
    leases = new MemoryReadModels(clock);
  });

  const createLease = (name: string, attemptLeaseMs = ATTEMPT_MS) =>
    new DispatcherLease(leases, new ProcessId(name), clock, new SeededRandom(), {
      leaseMsFor: () => attemptLeaseMs,
    } as unknown as Attempts);

  it('has a name that no other process has', async () => {
    expect(await createLease('one').acquireOwner()).toEqual({ job: 'dispatch:1', attempt: 1 });
    expect(await createLease('two').acquireOwner()).toEqual({ job: 'dispatch:2', attempt: 1 });
  });

  it('keeps its name while attempts use it', async () => {
    const one = createLease('one');
    const first = await one.acquireOwner();
    for (let i = 0; i < 20; i++) {
      await clock.advance(ATTEMPT_MS);
      expect(await one.acquireOwner()).toEqual(first);
    }
  });

  it('outlasts every attempt that started under it', async () => {
    const [one, two] = [createLease('one'), createLease('two')];
    for (let waited = 0; waited < 10 * ATTEMPT_MS; waited += 7_000) {
      await clock.advance(7_000);
      const owner = await one.acquireOwner();
      await clock.advance(ATTEMPT_MS - 1);
      expect(await two.findSuccessor(owner)).toBeNull();
    }
  });

  it('has a successor after its process has died', async () => {
    const [one, two] = [createLease('one'), createLease('two')];
    const owner = await one.acquireOwner();
    await clock.advance(10 * ATTEMPT_MS);
    expect(await two.findSuccessor(owner)).toEqual({ job: owner.job, attempt: owner.attempt + 1 });
    expect(await createLease('three').acquireOwner()).toMatchObject({ job: owner.job, attempt: owner.attempt + 2 });
  });

  it('has a successor soon after its process has died, even if attempts may take long', async () => {
    const [one, two] = [createLease('one', 600_000), createLease('two')];
    const owner = await one.acquireOwner();
    await clock.advance(60_000);
    expect(await two.findSuccessor(owner)).toBeNull();
    one.onApplicationShutdown();
    await clock.advance(12_000);
    expect(await two.findSuccessor(owner)).toEqual({ job: owner.job, attempt: owner.attempt + 1 });
  });

  it('keeps its name when another process leases a free name with a lower number', async () => {
    const [one, two] = [createLease('one'), createLease('two')];
    await one.acquireOwner();
    const second = await two.acquireOwner();
    one.onApplicationShutdown();
    for (let i = 0; i < 5; i++) {
      await clock.advance(ATTEMPT_MS);
      expect(await two.acquireOwner()).toEqual(second);
    }
  });

  it('gets a later lease number after another process has used its name', async () => {
    const [one, two] = [createLease('one'), createLease('two')];
    const owner = await one.acquireOwner();
    await clock.advance(10 * ATTEMPT_MS);
    const later = await two.findSuccessor(owner);
    expect(later).toEqual({ job: owner.job, attempt: owner.attempt + 1 });
    expect(await one.acquireOwner()).toEqual({ job: owner.job, attempt: owner.attempt + 2 });
  });

  it('refuses an owner while the store is unavailable and less than the margin of the lease remains', async () => {
    const one = createLease('one');
    const owner = await one.acquireOwner();
    leases.acquireLease = () => Promise.reject(new StoreUnavailable('the store is away', false));
    await clock.advance(LEASE_MS - MARGIN_MS - 1);
    expect(await one.acquireOwner()).toEqual(owner);
    await clock.advance(1);
    await expect(one.acquireOwner()).rejects.toThrow(StoreUnavailable);
  });

  it('has no successor in the process that holds it', async () => {
    const one = createLease('one');
    const owner = await one.acquireOwner();
    expect(await one.findSuccessor(owner)).toBeNull();
    await clock.advance(10 * ATTEMPT_MS);
    expect(await one.findSuccessor(owner)).toBeNull();
  });
});

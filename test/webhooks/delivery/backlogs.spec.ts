import { toIso } from '../../../src/kernel/clock.js';
import { type BacklogKind, Backlogs } from '../../../src/webhooks/delivery/backlogs.js';
import { toAttemptJob } from '../../../src/webhooks/delivery/delivery-jobs.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { CHAIN } from '../facts.js';

const KINDS: readonly BacklogKind[] = ['first', 'retry', 'backfill'];

describe('The waiting attempts of an endpoint', () => {
  let backlogs: Backlogs;
  let due: string;
  beforeEach(() => {
    const clock = new ManualClock();
    backlogs = new Backlogs(new MemoryJobs(clock), clock);
    due = toIso(clock.now());
  });

  const createJob = (chainId: string, endpointId: string) =>
    toAttemptJob(0, due, { ...CHAIN, chainId, endpointId, correlationId: 'c', causationId: 'c' });

  it('are counted in the backlogs of every kind, or of some, but of no other endpoint', async () => {
    for (const [i, kind] of KINDS.entries()) await backlogs.add(createJob(`chain-${i}`, 'whs_1'), kind);
    await backlogs.add(createJob('chain-9', 'whs_2'), 'first');

    expect(await backlogs.countWaiting('whs_1')).toBe(KINDS.length);
    for (const kind of KINDS) expect(await backlogs.countWaiting('whs_1', [kind])).toBe(1);
  });
});

import type { RecordedOf } from '../../../src/kernel/event.js';
import type { Attempt, DeliveryChainEvent } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { EndLostAttempts } from '../../../src/webhooks/processes/end-lost-attempts.js';
import { ManualClock } from '../../support/clock.js';
import { createEvent } from '../../support/jar.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { CHAIN_ID, createAttempt, started } from '../facts.js';

type Started = RecordedOf<Extract<DeliveryChainEvent, { type: 'AttemptStarted' }>>;

async function findJobsFor(kind: Attempt['kind']) {
  const jobs = new MemoryJobs(new ManualClock());
  const { type, data } = started(createAttempt(1, { kind }));
  const event = {
    ...createEvent('start', type, data),
    stream: `deliveryChain-${CHAIN_ID}`,
    revision: 1,
    position: '0002',
  } as unknown as Started;
  await new EndLostAttempts(jobs).react(event);
  await new EndLostAttempts(jobs).react(event);
  return [...jobs.entries.values()].map(({ job: { key, due } }) => [key, due, event.meta.commandId]);
}

describe('A started attempt', () => {
  it.each(['replay', 'test'] as const)(
    'has one job at the end of its lease if it is a %s, also when an earlier job is done',
    async (kind) => {
      const [[key, due, commandId] = [], ...others] = await findJobsFor(kind);

      expect([key, due]).toEqual([`lease:${CHAIN_ID}:${commandId}`, '2026-02-01T09:00:30.000Z']);
      expect(others).toEqual([]);
    },
  );

  it('has no further job if a job started it', async () => {
    expect(await findJobsFor('automatic')).toEqual([]);
  });
});

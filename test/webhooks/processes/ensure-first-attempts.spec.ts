import { Streams } from '../../../src/engine/streams/streams.js';
import { toIso } from '../../../src/kernel/clock.js';
import { createChildContext } from '../../../src/kernel/context.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import type { NewJob } from '../../../src/kernel/jobs.js';
import { Leases } from '../../../src/kernel/leases.js';
import { Backlogs } from '../../../src/webhooks/delivery/backlogs.js';
import { RETRY_QUEUE } from '../../../src/webhooks/delivery/delivery-jobs.js';
import { DispatcherLease } from '../../../src/webhooks/delivery/dispatcher-lease.js';
import { FirstAttempts } from '../../../src/webhooks/delivery/first-attempts.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type {
  AttemptLease,
  DeliveryChainCommand,
  DeliveryChainEvent,
} from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { EnsureFirstAttempts } from '../../../src/webhooks/processes/ensure-first-attempts.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { recordResult } from '../facts.js';
import { planChain } from '../open-attempts.js';
import { WebhookFixture } from '../webhook-fixture.js';

type Planned = RecordedOf<Extract<DeliveryChainEvent, { type: 'DeliveryChainPlanned' }>>;

const LEASE_MS = 60_000;
const LATER = Date.parse('2027-01-01T00:00:00.000Z');

describe('A planned delivery chain', () => {
  let fixture: WebhookFixture;
  let endpointId: string;
  let nextNumber = 100;
  beforeAll(async () => {
    fixture = await WebhookFixture.start({ WEBHOOK_RETRY_SCHEDULE: '3600' });
    endpointId = (await fixture.createEndpoint('/one', { event_types: ['offer.sent'] })).id;
  });
  afterAll(() => fixture.close());

  /** Starts an attempt as another process. A dead process has released its dispatcher name. */
  async function startedBy(process: 'dead' | 'alive'): Promise<AttemptLease> {
    const job = `dispatch:${nextNumber++}`;
    const leases = fixture.service.get(Leases);
    const attempt = (await leases.acquireLease(job, 'another process', LEASE_MS))!;
    if (process === 'dead') await leases.releaseLease(job, 'another process');
    return { leaseMs: LEASE_MS, owner: { job, attempt } };
  }

  /** Returns the jobs that a new process enqueues, much later, from the log alone. */
  async function findJobsFor(chainId: string, ...existing: readonly NewJob[]) {
    const { service } = fixture;
    const jobs = new MemoryJobs(new ManualClock());
    await jobs.enqueue(existing);
    const [streams, dispatches] = [service.get(Streams), service.get(DispatcherLease)];
    const react = async (event: Planned) =>
      new EnsureFirstAttempts(
        streams,
        service.get(FirstAttempts),
        dispatches,
        new Backlogs(jobs, new ManualClock(LATER)),
        jobs,
        new ManualClock(LATER),
      ).react(event);
    for await (const event of service.get(EventStore).readStream(`deliveryChain-${chainId}`, { limit: 1 })) {
      await react(event as Planned);
      await react(event as Planned);
    }
    return [...jobs.entries.keys()];
  }

  async function record(chainId: string, command: DeliveryChainCommand): Promise<void> {
    await fixture.service
      .get(Streams)
      .execute(deliveryChainDecider, chainId, command, createChildContext(fixture.createContext(), 'record'));
  }

  it('gets a job for its first attempt if none has started', async () => {
    const { facts } = await planChain(fixture, endpointId);
    const [request] = await fixture.receiver.waitForRequests('/one');
    expect(JSON.parse(request!.body)).toMatchObject({ id: facts.eventId, attempt: 1 });
  });

  it('gets a job that ends the attempt of a dead process and repeats it', async () => {
    const { facts } = await planChain(fixture, endpointId, await startedBy('dead'));
    const records = await fixture.waitForRecords(`event_id=${facts.eventId}`, ({ length }) => length === 2);
    expect(records.map(({ attempt, status, response_status }) => [attempt, status, response_status])).toEqual([
      [1, 'failed', null],
      [2, 'success', 200],
    ]);
  });

  it('gets a job that leaves an open attempt to the process that sends it', async () => {
    const { facts } = await planChain(fixture, endpointId, await startedBy('alive'));
    expect(await findJobsFor(facts.chainId)).toEqual([`attempt:${facts.chainId}:1`]);
    expect(await fixture.service.get(Streams).loadState(deliveryChainDecider, facts.chainId)).toMatchObject({
      status: 'sending',
      attempts: 1,
    });
  });

  it('gets a job again when restored stores have lost the job of its open attempt', async () => {
    const { facts } = await planChain(fixture, endpointId, {
      leaseMs: LEASE_MS,
      owner: { job: 'attempt:lost', attempt: 1 },
    });
    expect(await findJobsFor(facts.chainId)).toEqual([`attempt:${facts.chainId}:1`]);
  });

  it('gets no other job while the job of its open attempt exists', async () => {
    const { facts } = await planChain(fixture, endpointId, {
      leaseMs: LEASE_MS,
      owner: { job: 'attempt:kept', attempt: 1 },
    });
    const kept = { key: 'attempt:kept', queue: RETRY_QUEUE.name, due: toIso(LATER), data: {} };
    expect(await findJobsFor(facts.chainId, kept)).toEqual(['attempt:kept']);
  });

  it('gets a job for its next attempt when that job is missing', async () => {
    const { facts } = await planChain(fixture, endpointId, await startedBy('alive'));
    await record(facts.chainId, recordResult(1, 503));
    expect(await findJobsFor(facts.chainId)).toEqual([`attempt:${facts.chainId}:2`]);
  });

  it('gets no job after its end', async () => {
    const { facts } = await planChain(fixture, endpointId, await startedBy('alive'));
    await record(facts.chainId, recordResult(1, 204));
    expect(await findJobsFor(facts.chainId)).toEqual([]);
  });
});

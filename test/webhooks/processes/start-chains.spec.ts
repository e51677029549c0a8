import { Streams } from '../../../src/engine/streams/streams.js';
import { step } from '../../../src/kernel/context.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { iso } from '../../../src/kernel/clock.js';
import type { NewJob } from '../../../src/kernel/jobs.js';
import type { EventOf } from '../../../src/kernel/projection.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { chain, type Begin, type ChainCommand, type ChainEvent } from '../../../src/webhooks/domain/chain.js';
import { StartChains } from '../../../src/webhooks/processes/start-chains.js';
import { RETRIES } from '../../../src/webhooks/sending/chain-jobs.js';
import { Dispatches } from '../../../src/webhooks/sending/dispatches.js';
import { FirstAttempts } from '../../../src/webhooks/sending/first-attempts.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { Desk } from '../desk.js';
import { answer } from '../facts.js';
import { plannedAt } from '../left-open.js';

const LEASE_MS = 60_000;
const LATER = Date.parse('2027-01-01T00:00:00.000Z');

describe('A planned delivery chain', () => {
  let desk: Desk;
  let endpointId: string;
  let places = 100;
  beforeAll(async () => {
    desk = await Desk.open({ WEBHOOK_RETRY_SCHEDULE: '3600' });
    endpointId = (await desk.endpoint('/one', { event_types: ['offer.sent'] })).id;
  });
  afterAll(() => desk.close());

  /** Starts an attempt as another process. A dead process has released its dispatcher name. */
  async function begunBy(process: 'dead' | 'alive'): Promise<Begin> {
    const job = `dispatch:${places++}`;
    const models = desk.service.get(ReadModels);
    const attempt = (await models.lease(job, 'another process', LEASE_MS))!;
    if (process === 'dead') await models.release(job, 'another process');
    return { leaseMs: LEASE_MS, run: { job, attempt } };
  }

  /** Returns the jobs that a new process enqueues, much later, from the log alone. */
  async function jobsFor(chainId: string, ...kept: readonly NewJob[]) {
    const { service } = desk;
    const jobs = new MemoryJobs(new ManualClock());
    await jobs.put(kept);
    const [streams, dispatches] = [service.get(Streams), service.get(Dispatches)];
    const react = async (event: EventOf<ChainEvent, 'ChainPlanned'>) =>
      new StartChains(streams, service.get(FirstAttempts), dispatches, jobs, new ManualClock(LATER)).react(event);
    for await (const event of service.get(EventStore).readStream(`chain-${chainId}`, { limit: 1 })) {
      await react(event as EventOf<ChainEvent, 'ChainPlanned'>);
      await react(event as EventOf<ChainEvent, 'ChainPlanned'>);
    }
    return [...jobs.entries.keys()];
  }

  async function record(chainId: string, command: ChainCommand): Promise<void> {
    await desk.service.get(Streams).execute(chain, chainId, command, step(desk.context(), 'record'));
  }

  it('gets a job for its first attempt if none has started', async () => {
    const { facts } = await plannedAt(desk, endpointId);
    const [request] = await desk.receiver.received('/one');
    expect(JSON.parse(request!.body)).toMatchObject({ id: facts.eventId, attempt: 1 });
  });

  it('gets a job that ends the attempt of a dead process and repeats it', async () => {
    const { facts } = await plannedAt(desk, endpointId, await begunBy('dead'));
    const records = await desk.records(`event_id=${facts.eventId}`, ({ length }) => length === 2);
    expect(records.map(({ attempt, status, response_status }) => [attempt, status, response_status])).toEqual([
      [1, 'failed', null],
      [2, 'success', 200],
    ]);
  });

  it('gets a job that leaves an open attempt to the process that sends it', async () => {
    const { facts } = await plannedAt(desk, endpointId, await begunBy('alive'));
    expect(await jobsFor(facts.chainId)).toEqual([`attempt:${facts.chainId}:1`]);
    expect(await desk.service.get(Streams).state(chain, facts.chainId)).toMatchObject({ status: 'sending', attempts: 1 });
  });

  it('gets a job again when restored stores have lost the job of its open attempt', async () => {
    const { facts } = await plannedAt(desk, endpointId, { leaseMs: LEASE_MS, run: { job: 'attempt:lost', attempt: 1 } });
    expect(await jobsFor(facts.chainId)).toEqual([`attempt:${facts.chainId}:1`]);
  });

  it('gets no other job while the job of its open attempt exists', async () => {
    const { facts } = await plannedAt(desk, endpointId, { leaseMs: LEASE_MS, run: { job: 'attempt:kept', attempt: 1 } });
    const kept = { key: 'attempt:kept', queue: RETRIES, due: iso(LATER), data: {} };
    expect(await jobsFor(facts.chainId, kept)).toEqual(['attempt:kept']);
  });

  it('gets a job for its next attempt when that job is missing', async () => {
    const { facts } = await plannedAt(desk, endpointId, await begunBy('alive'));
    await record(facts.chainId, answer(1, 503));
    expect(await jobsFor(facts.chainId)).toEqual([`attempt:${facts.chainId}:2`]);
  });

  it('gets no job after its end', async () => {
    const { facts } = await plannedAt(desk, endpointId, await begunBy('alive'));
    await record(facts.chainId, answer(1, 204));
    expect(await jobsFor(facts.chainId)).toEqual([]);
  });
});

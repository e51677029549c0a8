import { Streams } from '../../../src/engine/streams/streams.js';
import { ReplayLockSteps } from '../../../src/webhooks/commands/replay-lock.steps.js';
import { replayJobDecider } from '../../../src/webhooks/domain/replay-job.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { createContext } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const JOB = {
  replayJobId: 'whj_1',
  businessId: 'biz_1',
  mode: 'test',
  scope: 'failed',
  createdFrom: '2026-01-31T00:00:00.000Z',
  createdTo: '2026-02-01T00:00:00.000Z',
  endpointId: 'whs_1',
  eventTypes: [],
  statuses: ['failed'],
  includeMissed: false,
} as const;

describe('The replay lock of a job', () => {
  let clock: ManualClock;
  let streams: Streams;
  let lock: ReplayLockSteps;

  beforeEach(async () => {
    clock = new ManualClock();
    streams = new Streams(new MemoryEventStore(clock), clock, new SeededRandom());
    lock = new ReplayLockSteps(streams, clock);
    await lock.acquire('whj_1', 'whs_1', createContext('first'));
  });

  const acquireSecond = () => lock.acquire('whj_2', null, createContext('second'));
  const requestFirst = () =>
    streams.execute(replayJobDecider, 'whj_1', { type: 'RequestReplayJob', ...JOB }, createContext('request'));

  it('is kept while the job may still be requested', async () => {
    await clock.advance(60_000);
    await expect(acquireSecond()).rejects.toMatchObject({ code: 'replay_job_conflict' });
  });

  it('is released when a crash left the job unrequested, and the job can never be requested', async () => {
    await clock.advance(60_001);
    await acquireSecond();
    await expect(requestFirst()).rejects.toMatchObject({ code: 'concurrent_update' });
  });

  it('is kept while the job is active and released when it is finished', async () => {
    await requestFirst();
    await clock.advance(60_001);
    await expect(acquireSecond()).rejects.toMatchObject({ code: 'replay_job_conflict' });
    await streams.execute(replayJobDecider, 'whj_1', { type: 'CancelReplayJob' }, createContext('cancel'));
    await acquireSecond();
  });
});

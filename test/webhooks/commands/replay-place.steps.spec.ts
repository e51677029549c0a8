import { Streams } from '../../../src/engine/streams/streams.js';
import { ReplayPlaceSteps } from '../../../src/webhooks/commands/replay-place.steps.js';
import { replayJob } from '../../../src/webhooks/domain/replay-job.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { contextOf } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const JOB = {
  replayJobId: 'whj_1',
  businessId: 'biz_1',
  mode: 'test',
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
  let places: ReplayPlaceSteps;

  beforeEach(async () => {
    clock = new ManualClock();
    streams = new Streams(new MemoryEventStore(clock), clock, new SeededRandom());
    places = new ReplayPlaceSteps(streams, clock);
    await places.take('whj_1', 'whs_1', contextOf('first'));
  });

  const taken = () => places.take('whj_2', null, contextOf('second'));
  const requested = () => streams.execute(replayJob, 'whj_1', { type: 'RequestReplayJob', ...JOB }, contextOf('request'));

  it('is kept while the job may still be requested', async () => {
    await clock.advance(60_000);
    await expect(taken()).rejects.toMatchObject({ code: 'replay_job_conflict' });
  });

  it('is released when a crash left the job unrequested, and the job can never be requested', async () => {
    await clock.advance(60_001);
    await taken();
    await expect(requested()).rejects.toMatchObject({ code: 'concurrent_update' });
  });

  it('is kept while the job is active and released when it is finished', async () => {
    await requested();
    await clock.advance(60_001);
    await expect(taken()).rejects.toMatchObject({ code: 'replay_job_conflict' });
    await streams.execute(replayJob, 'whj_1', { type: 'CancelReplayJob' }, contextOf('cancel'));
    await taken();
  });
});

import { replayJob, type ReplayJobCommand, type ReplayJobEvent, type ReplayJobFacts } from '../../../src/webhooks/domain/replay-job.js';
import { given } from '../../support/given.js';

const FACTS: ReplayJobFacts = {
  replayJobId: 'whj_1',
  businessId: 'biz_1',
  mode: 'live',
  createdFrom: '2026-01-20T00:00:00.000Z',
  createdTo: '2026-02-01T09:00:00.000Z',
  endpointId: null,
  eventTypes: [],
  statuses: ['failed', 'abandoned'],
  includeMissed: false,
};
const OF_JOB = { replayJobId: 'whj_1' };
const SELECTION = { matched: 3, position: '7', endpointIds: ['whs_1', 'whs_2'] };

const request = { type: 'RequestReplayJob', ...FACTS } satisfies ReplayJobCommand;
const start = { type: 'StartReplayJob', ...SELECTION } satisfies ReplayJobCommand;
const end = (endpointId: string): ReplayJobCommand => ({ type: 'EndLane', endpointId });
const cancel: ReplayJobCommand = { type: 'CancelReplayJob' };
const fail: ReplayJobCommand = { type: 'FailReplayJob', error: 'service_failure' };

const requested: ReplayJobEvent = { type: 'ReplayJobRequested', data: FACTS };
const started: ReplayJobEvent = { type: 'ReplayJobStarted', data: { ...OF_JOB, ...SELECTION } };
const heldAll: ReplayJobEvent = { type: 'ReplayJobHeldAll', data: OF_JOB };
const laneEnded = (endpointId: string): ReplayJobEvent => ({ type: 'ReplayLaneEnded', data: { ...OF_JOB, endpointId } });
const completed: ReplayJobEvent = { type: 'ReplayJobCompleted', data: OF_JOB };
const cancelRequested: ReplayJobEvent = { type: 'ReplayJobCancelRequested', data: OF_JOB };
const cancelled: ReplayJobEvent = { type: 'ReplayJobCancelled', data: OF_JOB };
const failed = (error: 'window_too_large' | 'service_failure'): ReplayJobEvent => ({ type: 'ReplayJobFailed', data: { ...OF_JOB, error } });
const forgone: ReplayJobEvent = { type: 'ReplayJobForgone', data: OF_JOB };

describe('A replay job', () => {
  it('is requested once', () => {
    given(replayJob).when(request).then(requested);
    given(replayJob, requested).when(request).nothing();
  });

  it('starts once with its selection', () => {
    given(replayJob, requested).when(start).then(started);
    given(replayJob, requested, started).when(start).nothing();
  });

  it('is completed at once when nothing matches', () => {
    const nothing = { matched: 0, position: '7', endpointIds: [] };
    given(replayJob, requested)
      .when({ type: 'StartReplayJob', ...nothing })
      .then({ type: 'ReplayJobStarted', data: { ...OF_JOB, ...nothing } }, completed);
  });

  it('fails when too many chains match', () =>
    given(replayJob, requested)
      .when({ ...start, matched: 100_001 })
      .then(failed('window_too_large')));

  it('starts sending once after all chains are held', () => {
    given(replayJob, requested, started).when({ type: 'BeginSending' }).then(heldAll);
    given(replayJob, requested, started, heldAll).when({ type: 'BeginSending' }).nothing();
    given(replayJob, requested, started, cancelRequested).when({ type: 'BeginSending' }).nothing();
  });

  it('is completed with its last batch', () => {
    given(replayJob, requested, started, heldAll).when(end('whs_1')).then(laneEnded('whs_1'));
    given(replayJob, requested, started, heldAll, laneEnded('whs_1')).when(end('whs_2')).then(laneEnded('whs_2'), completed);
    given(replayJob, requested, started, heldAll, laneEnded('whs_1')).when(end('whs_1')).nothing();
  });

  it('is cancelled at once before it starts', () => given(replayJob, requested).when(cancel).then(cancelRequested, cancelled));

  it('is cancelled with its last batch while it runs', () => {
    given(replayJob, requested, started).when(cancel).then(cancelRequested);
    given(replayJob, requested, started, cancelRequested).when(cancel).nothing();
    given(replayJob, requested, started, cancelRequested, laneEnded('whs_1')).when(end('whs_2')).then(laneEnded('whs_2'), cancelled);
  });

  it('does not start after it was cancelled', () => given(replayJob, requested, cancelRequested, cancelled).when(start).nothing());

  it('fails once, and its batches end without a further job event', () => {
    given(replayJob, requested, started).when(fail).then(failed('service_failure'));
    given(replayJob, requested, started, failed('service_failure')).when(fail).nothing();
    given(replayJob, requested, started, failed('service_failure'), laneEnded('whs_1')).when(end('whs_2')).then(laneEnded('whs_2'));
  });

  it.each([
    ['completed', [started, heldAll, laneEnded('whs_1'), laneEnded('whs_2'), completed]],
    ['failed', [failed('window_too_large')]],
    ['been cancelled', [cancelRequested, cancelled]],
  ] as [string, ReplayJobEvent[]][])('cannot be cancelled after it has %s', (_, history) =>
    given(replayJob, requested, ...history)
      .when(cancel)
      .refuses('replay_job_finished'),
  );

  it('is not found before it was requested', () => given(replayJob).when(cancel).refuses('not_found'));

  it('cannot be requested after it was abandoned', () => {
    given(replayJob)
      .when({ type: 'ForgoReplayJob', ...OF_JOB })
      .then(forgone);
    given(replayJob, requested)
      .when({ type: 'ForgoReplayJob', ...OF_JOB })
      .nothing();
    given(replayJob, forgone).when(request).refuses('concurrent_update');
  });
});

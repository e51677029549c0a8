import {
  type ReplayJobCommand,
  replayJobDecider,
  type ReplayJobEvent,
  type ReplayJobFacts,
} from '../../../src/webhooks/domain/replay-job.js';
import { given } from '../../support/given.js';

const FACTS: ReplayJobFacts = {
  replayJobId: 'whj_1',
  businessId: 'biz_1',
  mode: 'live',
  scope: 'failed',
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
const end = (endpointId: string): ReplayJobCommand => ({ type: 'EndReplayBatch', endpointId });
const cancel: ReplayJobCommand = { type: 'CancelReplayJob' };
const fail: ReplayJobCommand = { type: 'FailReplayJob', error: 'service_failure' };

const requested: ReplayJobEvent = { type: 'ReplayJobRequested', data: FACTS };
const started: ReplayJobEvent = { type: 'ReplayJobStarted', data: { ...OF_JOB, ...SELECTION } };
const allHeld: ReplayJobEvent = { type: 'ReplayJobAllHeld', data: OF_JOB };
const batchEnded = (endpointId: string): ReplayJobEvent => ({
  type: 'ReplayBatchEnded',
  data: { ...OF_JOB, endpointId },
});
const completed: ReplayJobEvent = { type: 'ReplayJobCompleted', data: OF_JOB };
const cancelRequested: ReplayJobEvent = { type: 'ReplayJobCancelRequested', data: OF_JOB };
const cancelled: ReplayJobEvent = { type: 'ReplayJobCancelled', data: OF_JOB };
const failed = (error: 'window_too_large' | 'service_failure'): ReplayJobEvent => ({
  type: 'ReplayJobFailed',
  data: { ...OF_JOB, error },
});
const abandoned: ReplayJobEvent = { type: 'ReplayJobAbandoned', data: OF_JOB };

describe('A replay job', () => {
  it('is requested once', () => {
    given(replayJobDecider).when(request).then(requested);
    given(replayJobDecider, requested).when(request).thenNothing();
  });

  it('starts once with its selection', () => {
    given(replayJobDecider, requested).when(start).then(started);
    given(replayJobDecider, requested, started).when(start).thenNothing();
  });

  it('is completed at once when nothing matches', () => {
    const nothing = { matched: 0, position: '7', endpointIds: [] };
    given(replayJobDecider, requested)
      .when({ type: 'StartReplayJob', ...nothing })
      .then({ type: 'ReplayJobStarted', data: { ...OF_JOB, ...nothing } }, completed);
  });

  it('fails when too many chains match', () =>
    given(replayJobDecider, requested)
      .when({ ...start, matched: 100_001 })
      .then(failed('window_too_large')));

  it('starts sending once after all chains are held', () => {
    given(replayJobDecider, requested, started).when({ type: 'StartSending' }).then(allHeld);
    given(replayJobDecider, requested, started, allHeld).when({ type: 'StartSending' }).thenNothing();
    given(replayJobDecider, requested, started, cancelRequested).when({ type: 'StartSending' }).thenNothing();
  });

  it('is completed with its last batch', () => {
    given(replayJobDecider, requested, started, allHeld).when(end('whs_1')).then(batchEnded('whs_1'));
    given(replayJobDecider, requested, started, allHeld, batchEnded('whs_1'))
      .when(end('whs_2'))
      .then(batchEnded('whs_2'), completed);
    given(replayJobDecider, requested, started, allHeld, batchEnded('whs_1')).when(end('whs_1')).thenNothing();
  });

  it('is cancelled at once before it starts', () =>
    given(replayJobDecider, requested).when(cancel).then(cancelRequested, cancelled));

  it('is cancelled with its last batch while it runs', () => {
    given(replayJobDecider, requested, started).when(cancel).then(cancelRequested);
    given(replayJobDecider, requested, started, cancelRequested).when(cancel).thenNothing();
    given(replayJobDecider, requested, started, cancelRequested, batchEnded('whs_1'))
      .when(end('whs_2'))
      .then(batchEnded('whs_2'), cancelled);
  });

  it('does not start after it was cancelled', () =>
    given(replayJobDecider, requested, cancelRequested, cancelled).when(start).thenNothing());

  it('fails once, and its batches end without a further job event', () => {
    given(replayJobDecider, requested, started).when(fail).then(failed('service_failure'));
    given(replayJobDecider, requested, started, failed('service_failure')).when(fail).thenNothing();
    given(replayJobDecider, requested, started, failed('service_failure'), batchEnded('whs_1'))
      .when(end('whs_2'))
      .then(batchEnded('whs_2'));
  });

  it.each([
    ['completed', [started, allHeld, batchEnded('whs_1'), batchEnded('whs_2'), completed]],
    ['failed', [failed('window_too_large')]],
    ['been cancelled', [cancelRequested, cancelled]],
  ] as [string, ReplayJobEvent[]][])('cannot be cancelled after it has %s', (_, history) =>
    given(replayJobDecider, requested, ...history)
      .when(cancel)
      .thenRejects('replay_job_finished'),
  );

  it('is not found before it was requested', () => given(replayJobDecider).when(cancel).thenRejects('not_found'));

  it('cannot be requested after it was abandoned', () => {
    given(replayJobDecider)
      .when({ type: 'AbandonReplayJob', ...OF_JOB })
      .then(abandoned);
    given(replayJobDecider, requested)
      .when({ type: 'AbandonReplayJob', ...OF_JOB })
      .thenNothing();
    given(replayJobDecider, abandoned).when(request).thenRejects('concurrent_update');
  });
});

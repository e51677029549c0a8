import {
  type ReplayLockCommand,
  replayLockDecider,
  type ReplayLockEvent,
} from '../../../src/webhooks/domain/replay-lock.js';
import { given } from '../../support/given.js';

const AT = '2026-02-01T09:00:00.000Z';
const acquire = (replayJobId: string, endpointId: string | null): ReplayLockCommand => ({
  type: 'AcquireReplayLock',
  replayJobId,
  endpointId,
});
const acquired = (replayJobId: string, endpointId: string | null): ReplayLockEvent => ({
  type: 'ReplayLockAcquired',
  data: { replayJobId, endpointId, at: AT },
});
const release: ReplayLockCommand = { type: 'ReleaseReplayLock', replayJobId: 'whj_1' };
const released: ReplayLockEvent = { type: 'ReplayLockReleased', data: { replayJobId: 'whj_1' } };

describe('The replay locks of a business', () => {
  it('allow one job for each endpoint', () =>
    given(replayLockDecider, acquired('whj_1', 'whs_1'))
      .when(acquire('whj_2', 'whs_2'))
      .then(acquired('whj_2', 'whs_2')));

  it.each([
    ['one endpoint, then the same endpoint', 'whs_1', 'whs_1'],
    ['all endpoints, then one endpoint', null, 'whs_1'],
    ['one endpoint, then all endpoints', 'whs_1', null],
    ['all endpoints, then all endpoints', null, null],
  ])('refuse two jobs for %s', (_, first, second) =>
    given(replayLockDecider, acquired('whj_1', first))
      .when(acquire('whj_2', second))
      .thenRejects('replay_job_conflict'),
  );

  it('are acquired once by the same job', () =>
    given(replayLockDecider, acquired('whj_1', null)).when(acquire('whj_1', null)).thenNothing());

  it('are released once', () => {
    given(replayLockDecider, acquired('whj_1', null)).when(release).then(released);
    given(replayLockDecider, acquired('whj_1', null), released).when(release).thenNothing();
    given(replayLockDecider, acquired('whj_1', null), released)
      .when(acquire('whj_2', 'whs_1'))
      .then(acquired('whj_2', 'whs_1'));
  });
});

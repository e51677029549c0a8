import { replayPlaces, type ReplayPlacesCommand, type ReplayPlacesEvent } from '../../../src/webhooks/domain/replay-places.js';
import { given } from '../../support/given.js';

const AT = '2026-02-01T09:00:00.000Z';
const take = (replayJobId: string, endpointId: string | null): ReplayPlacesCommand => ({
  type: 'TakeReplayPlace',
  replayJobId,
  endpointId,
});
const taken = (replayJobId: string, endpointId: string | null): ReplayPlacesEvent => ({
  type: 'ReplayPlaceTaken',
  data: { replayJobId, endpointId, at: AT },
});
const free: ReplayPlacesCommand = { type: 'FreeReplayPlace', replayJobId: 'whj_1' };
const freed: ReplayPlacesEvent = { type: 'ReplayPlaceFreed', data: { replayJobId: 'whj_1' } };

describe('The replay locks of a business', () => {
  it('allow one job for each endpoint', () =>
    given(replayPlaces, taken('whj_1', 'whs_1')).when(take('whj_2', 'whs_2')).then(taken('whj_2', 'whs_2')));

  it.each([
    ['one endpoint, then the same endpoint', 'whs_1', 'whs_1'],
    ['all endpoints, then one endpoint', null, 'whs_1'],
    ['one endpoint, then all endpoints', 'whs_1', null],
    ['all endpoints, then all endpoints', null, null],
  ])('refuse two jobs for %s', (_, first, second) =>
    given(replayPlaces, taken('whj_1', first)).when(take('whj_2', second)).refuses('replay_job_conflict'),
  );

  it('are acquired once by the same job', () => given(replayPlaces, taken('whj_1', null)).when(take('whj_1', null)).nothing());

  it('are released once', () => {
    given(replayPlaces, taken('whj_1', null)).when(free).then(freed);
    given(replayPlaces, taken('whj_1', null), freed).when(free).nothing();
    given(replayPlaces, taken('whj_1', null), freed).when(take('whj_2', 'whs_1')).then(taken('whj_2', 'whs_1'));
  });
});

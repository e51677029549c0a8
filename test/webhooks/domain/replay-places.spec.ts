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

describe('The active replay jobs of a business', () => {
  it('have an endpoint each', () =>
    given(replayPlaces, taken('whj_1', 'whs_1')).when(take('whj_2', 'whs_2')).then(taken('whj_2', 'whs_2')));

  it.each([
    ['the same endpoint', 'whs_1', 'whs_1'],
    ['an endpoint while one has all', null, 'whs_1'],
    ['all endpoints while one has any', 'whs_1', null],
    ['all endpoints while one has all', null, null],
  ])('cannot be two for %s', (_, first, second) =>
    given(replayPlaces, taken('whj_1', first)).when(take('whj_2', second)).refuses('replay_job_conflict'),
  );

  it('take their place once', () => given(replayPlaces, taken('whj_1', null)).when(take('whj_1', null)).nothing());

  it('give it back once', () => {
    given(replayPlaces, taken('whj_1', null)).when(free).then(freed);
    given(replayPlaces, taken('whj_1', null), freed).when(free).nothing();
    given(replayPlaces, taken('whj_1', null), freed).when(take('whj_2', 'whs_1')).then(taken('whj_2', 'whs_1'));
  });
});

import { pointsReversalDecider, type PointsReversalEvent } from '../../../src/community/domain/points-reversal.js';
import { given } from '../../support/given.js';
import { reversal } from '../facts.js';

const requested: PointsReversalEvent = { type: 'PointsReversalRequested', data: reversal };

describe('The reversal of an award', () => {
  it('is requested with its reason', () =>
    given(pointsReversalDecider).when({ type: 'RequestPointsReversal', reversal }).then(requested));

  it('is requested once', () =>
    given(pointsReversalDecider, requested)
      .when({ type: 'RequestPointsReversal', reversal: { ...reversal, reversalId: 'pta_r2', reason: 'Again' } })
      .thenNothing());
});

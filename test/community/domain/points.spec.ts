import { DEFAULT_LADDER } from '../../../src/community/domain/levels.js';
import { points } from '../../../src/community/domain/points.js';
import { given } from '../../support/given.js';
import { award, NOW, pointsAwarded } from '../facts.js';

const climb = { ladder: DEFAULT_LADDER, floor: 1 };
const sought = { since: NOW, searched: 0 };
const twenty = pointsAwarded({ balance: 20, level: 3, leveledUp: true }, { awardId: 'pta_0', points: 20, sourceId: 'lesson-6' });

describe('The ledger of a member', () => {
  it('takes its first award', () =>
    given(points)
      .when({ type: 'AwardPoints', award: { ...award, points: 4 }, climb, ...sought })
      .then(pointsAwarded({ balance: 4, level: 1, leveledUp: false }, { points: 4 })));

  it('says to which level an award leads', () =>
    given(points, twenty)
      .when({ type: 'AwardPoints', award, climb, ...sought })
      .then(pointsAwarded({ balance: 70, level: 4, leveledUp: true })));

  it('counts from the floor that a member may have', () =>
    given(points, twenty)
      .when({ type: 'AwardPoints', award, climb: { ...climb, floor: 6 }, ...sought })
      .then(pointsAwarded({ balance: 70, level: 6, leveledUp: false })));

  describe('that has forgotten its first award', () => {
    const entries = Array.from({ length: 501 }, (_, i) => {
      return pointsAwarded({ balance: 20, level: 3, leveledUp: false }, { awardId: `pta_${i + 1}` });
    });
    const fresh = { ...award, awardId: 'pta_new' };
    const entered = pointsAwarded({ balance: 70, level: 4, leveledUp: true }, { awardId: 'pta_new' });

    it('does not take an award that it may have forgotten', () =>
      given(points, ...entries)
        .when({ type: 'AwardPoints', award, climb, ...sought })
        .nothing());

    it('takes an award once all that it has forgotten was searched', () =>
      given(points, ...entries)
        .when({ type: 'AwardPoints', award: fresh, climb, since: NOW, searched: 1 })
        .then(entered));

    it('takes an award whose id no other run has', () =>
      given(points, ...entries)
        .when({ type: 'AwardPoints', award: fresh, climb, since: null, searched: 0 })
        .then(entered));
  });

  it('takes an award once', () =>
    given(points, twenty, pointsAwarded({ balance: 70, level: 4, leveledUp: true }))
      .when({ type: 'AwardPoints', award, climb, ...sought })
      .nothing());
});

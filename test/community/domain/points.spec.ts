import { DEFAULT_LADDER } from '../../../src/community/domain/levels.js';
import { points } from '../../../src/community/domain/points.js';
import { given } from '../../support/given.js';
import { award, NOW, pointsAwarded } from '../facts.js';

const climb = { ladder: DEFAULT_LADDER, floor: 1 };
const sought = { since: NOW, searched: 0 };
const twenty = pointsAwarded({ balance: 20, level: 3, leveledUp: true }, { awardId: 'pta_0', points: 20, sourceId: 'lesson-6' });

describe('The ledger of a member', () => {
  it('enters its first award', () =>
    given(points)
      .when({ type: 'AwardPoints', award: { ...award, points: 4 }, climb, ...sought })
      .then(pointsAwarded({ balance: 4, level: 1, leveledUp: false }, { points: 4 })));

  it('records the level that results from an award', () =>
    given(points, twenty)
      .when({ type: 'AwardPoints', award, climb, ...sought })
      .then(pointsAwarded({ balance: 70, level: 4, leveledUp: true })));

  it('applies the minimum level of the member', () =>
    given(points, twenty)
      .when({ type: 'AwardPoints', award, climb: { ...climb, floor: 6 }, ...sought })
      .then(pointsAwarded({ balance: 70, level: 6, leveledUp: false })));

  describe('after its state has forgotten the first award', () => {
    const entries = Array.from({ length: 501 }, (_, i) => {
      return pointsAwarded({ balance: 20, level: 3, leveledUp: false }, { awardId: `pta_${i + 1}` });
    });
    const fresh = { ...award, awardId: 'pta_new' };
    const entered = pointsAwarded({ balance: 70, level: 4, leveledUp: true }, { awardId: 'pta_new' });

    it('does not enter an award that it may have forgotten', () =>
      given(points, ...entries)
        .when({ type: 'AwardPoints', award, climb, ...sought })
        .nothing());

    it('enters an award after a search of all forgotten entries', () =>
      given(points, ...entries)
        .when({ type: 'AwardPoints', award: fresh, climb, since: NOW, searched: 1 })
        .then(entered));

    it('enters an award with a unique id', () =>
      given(points, ...entries)
        .when({ type: 'AwardPoints', award: fresh, climb, since: null, searched: 0 })
        .then(entered));
  });

  it('enters an award once', () =>
    given(points, twenty, pointsAwarded({ balance: 70, level: 4, leveledUp: true }))
      .when({ type: 'AwardPoints', award, climb, ...sought })
      .nothing());
});

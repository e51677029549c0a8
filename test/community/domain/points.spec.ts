import { DEFAULT_LADDER } from '../../../src/community/domain/levels.js';
import { points } from '../../../src/community/domain/points.js';
import { given } from '../../support/given.js';
import { award, pointsAwarded } from '../facts.js';

const climb = { ladder: DEFAULT_LADDER, floor: 1 };
const twenty = pointsAwarded({ balance: 20, level: 3, leveledUp: true }, { awardId: 'pta_0', points: 20, sourceId: 'lesson-6' });

describe('The ledger of a member', () => {
  it('takes its first award', () =>
    given(points)
      .when({ type: 'AwardPoints', award: { ...award, points: 4 }, climb })
      .then(pointsAwarded({ balance: 4, level: 1, leveledUp: false }, { points: 4 })));

  it('says to which level an award leads', () =>
    given(points, twenty)
      .when({ type: 'AwardPoints', award, climb })
      .then(pointsAwarded({ balance: 70, level: 4, leveledUp: true })));

  it('counts from the floor that a member may have', () =>
    given(points, twenty)
      .when({ type: 'AwardPoints', award, climb: { ...climb, floor: 6 } })
      .then(pointsAwarded({ balance: 70, level: 6, leveledUp: false })));

  it('takes an award once', () =>
    given(points, twenty, pointsAwarded({ balance: 70, level: 4, leveledUp: true }))
      .when({ type: 'AwardPoints', award, climb })
      .nothing());
});

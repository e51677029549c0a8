import { DEFAULT_LEVELS } from '../../../src/community/domain/levels.js';
import { pointsDecider, type PointsEvent } from '../../../src/community/domain/points.js';
import { fold } from '../../../src/kernel/decider.js';
import { given } from '../../support/given.js';
import { award, NOW, pointsAwarded, pointsReversed, reversal } from '../facts.js';

const levelRules = { levels: DEFAULT_LEVELS, minimumLevel: 1 };
const sought = { since: NOW, searched: 0, isKept: false };
const twenty = pointsAwarded(
  { balance: 20, level: 3, leveledUp: true },
  { awardId: 'pta_0', points: 20, sourceId: 'lesson-6' },
);

describe('The ledger of a member', () => {
  it('enters its first award', () =>
    given(pointsDecider)
      .when({ type: 'AwardPoints', award: { ...award, points: 4 }, levelRules, ...sought })
      .then(pointsAwarded({ balance: 4, level: 1, leveledUp: false }, { points: 4 })));

  it('records the level that results from an award', () =>
    given(pointsDecider, twenty)
      .when({ type: 'AwardPoints', award, levelRules, ...sought })
      .then(pointsAwarded({ balance: 70, level: 4, leveledUp: true })));

  it('applies the minimum level of the member', () =>
    given(pointsDecider, twenty)
      .when({ type: 'AwardPoints', award, levelRules: { ...levelRules, minimumLevel: 6 }, ...sought })
      .then(pointsAwarded({ balance: 70, level: 6, leveledUp: false })));

  describe('after its state has forgotten the first award', () => {
    const entries = Array.from({ length: 501 }, (_, i) => {
      return pointsAwarded({ balance: 20, level: 3, leveledUp: false }, { awardId: `pta_${i + 1}` });
    });
    const fresh = { ...award, awardId: 'pta_new' };
    const entered = pointsAwarded({ balance: 70, level: 4, leveledUp: true }, { awardId: 'pta_new' });

    it('does not enter an award that it may have forgotten', () =>
      given(pointsDecider, ...entries)
        .when({ type: 'AwardPoints', award, levelRules, ...sought })
        .thenNothing());

    it('enters an award after a search of all forgotten entries', () =>
      given(pointsDecider, ...entries)
        .when({ type: 'AwardPoints', award: fresh, levelRules, ...sought, searched: 1 })
        .then(entered));

    it('enters an award with a unique id', () =>
      given(pointsDecider, ...entries)
        .when({ type: 'AwardPoints', award: fresh, levelRules, ...sought, since: null })
        .then(entered));
  });

  it('enters an award once', () =>
    given(pointsDecider, twenty, pointsAwarded({ balance: 70, level: 4, leveledUp: true }))
      .when({ type: 'AwardPoints', award, levelRules, ...sought })
      .thenNothing());

  it('takes the points of a reversed award, and lowers the level', () =>
    given(pointsDecider, twenty, pointsAwarded({ balance: 70, level: 4, leveledUp: true }))
      .when({ type: 'ReversePoints', reversal, levelRules, ...sought })
      .then(pointsReversed({ points: -50, balance: 20, level: 3 })));

  it('takes only the points that are there', () =>
    given(pointsDecider, twenty)
      .when({ type: 'ReversePoints', reversal, levelRules, ...sought })
      .then(pointsReversed({ points: -20, balance: 0, level: 1 })));

  it('takes 0 points from an empty ledger', () =>
    given(pointsDecider)
      .when({ type: 'ReversePoints', reversal, levelRules, ...sought })
      .then(pointsReversed({ points: 0, balance: 0, level: 1 })));

  it('enters a reversal once', () =>
    given(pointsDecider, twenty, pointsReversed({ points: -20, balance: 0, level: 1 }))
      .when({ type: 'ReversePoints', reversal, levelRules, ...sought })
      .thenNothing());
});

describe('The points of a member who has not signed in yet', () => {
  const { type, data } = pointsAwarded({ balance: 50, level: 3, leveledUp: true }) as Extract<
    PointsEvent,
    { type: 'PointsAwarded' }
  >;
  const kept: PointsEvent = { type, data: { ...data, kept: true } };
  const { at: awardedAt, ...awarded } = data;
  const paid: PointsEvent = { type: 'PointsPaid', data: { ...awarded, awardedAt } };
  const pay = { type: 'PayPoints', awards: [paid.data] } as const;
  const reversed = pointsReversed({ points: -50, balance: 0, level: 1 });

  it('are kept, and are in the balance', () =>
    given(pointsDecider)
      .when({ type: 'AwardPoints', award, levelRules, ...sought, isKept: true })
      .then({ type, data: { ...data, level: 3, kept: true } }));

  it('are paid once', () => {
    given(pointsDecider, kept).when(pay).then(paid);
    given(pointsDecider, kept, paid).when(pay).thenNothing();
  });

  it('are not paid after a reversal, nor when they were paid at once', () => {
    given(pointsDecider, kept, reversed).when(pay).thenNothing();
    given(pointsDecider, { type, data }).when(pay).thenNothing();
  });

  it('change the balance only with the award and with its reversal', () => {
    const balanceOf = (...history: PointsEvent[]) => fold(pointsDecider, history).balance;
    expect([balanceOf(kept), balanceOf(kept, paid), balanceOf(kept, reversed)]).toEqual([50, 50, 0]);
  });

  it('are reversed with a mark until they are paid', () => {
    const reverse = { type: 'ReversePoints', reversal, levelRules, ...sought } as const;
    given(pointsDecider, kept)
      .when(reverse)
      .then({ type: 'PointsReversed', data: { ...reversed.data, kept: true } } as PointsEvent);
    given(pointsDecider, kept, paid).when(reverse).then(reversed);
  });

  it('are entered once, also after they were paid', () =>
    given(pointsDecider, kept, paid)
      .when({ type: 'AwardPoints', award, levelRules, ...sought })
      .thenNothing());
});

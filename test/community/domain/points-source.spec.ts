import { hasSource, pointsSourceDecider, pointsSourceIdOf } from '../../../src/community/domain/points-source.js';
import { given } from '../../support/given.js';
import { award, pointsReserved } from '../facts.js';

describe('A source of points', () => {
  it('is reserved for one award', () =>
    given(pointsSourceDecider).when({ type: 'ReservePoints', award }).then(pointsReserved));

  it('records no event when the same points are awarded again', () =>
    given(pointsSourceDecider, pointsReserved)
      .when({ type: 'ReservePoints', award: { ...award, awardId: 'pta_2' } })
      .thenNothing());

  it('refuses an award of different points', () =>
    given(pointsSourceDecider, pointsReserved)
      .when({ type: 'ReservePoints', award: { ...award, awardId: 'pta_2', points: 51 } })
      .thenRejects('points_already_awarded', 'points'));

  it('has an id that never changes', () =>
    expect(pointsSourceIdOf(award)).toBe('f763e5e5-00de-51d4-b9e2-b6d82291aa00'));

  it.each([
    ['community', { communityId: 'com_2' }],
    ['member', { memberId: 'mem_2' }],
    ['type', { sourceType: 'quiz' }],
    ['id', { sourceId: 'lesson-8' }],
  ])('has a different id with another %s', (_, other) =>
    expect(pointsSourceIdOf({ ...award, ...other })).not.toBe(pointsSourceIdOf(award)),
  );

  it('is missing from a manual award', () => {
    expect(hasSource(award)).toBe(true);
    expect(hasSource({ ...award, sourceType: 'manual', sourceId: null })).toBe(false);
  });
});

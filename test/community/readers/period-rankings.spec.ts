import type { DailyPoints } from '../../../src/community/domain/daily-points.js';
import { toDay } from '../../../src/community/domain/daily-points.js';
import type { MemberDocument } from '../../../src/community/projections/members.js';
import { PeriodRankings } from '../../../src/community/readers/period-rankings.js';

const TODAY = toDay(Date.parse('2026-03-10'));
const member = (id: string, _daily: DailyPoints, status = 'active') => ({ id, status, _daily }) as MemberDocument;

const rank = async (leaderboard: PeriodRankings, days: number, today = TODAY) =>
  (await leaderboard.rank(days, today)).getPage(0, 10).map(({ memberId, points }) => [memberId, points]);

describe('The leaderboard of recent points', () => {
  it('ranks by the days of each period', async () => {
    const leaderboard = new PeriodRankings();
    leaderboard.apply(member('ann', [['2026-03-03', 9], ['2026-03-04', 1]]), TODAY); // prettier-ignore
    leaderboard.apply(member('ben', [['2026-03-10', 5]]), TODAY);

    expect(await rank(leaderboard, 7)).toEqual([['ben', 5], ['ann', 1]]); // prettier-ignore
    expect(await rank(leaderboard, 30)).toEqual([['ann', 10], ['ben', 5]]); // prettier-ignore
  });

  it('follows later changes of a member', async () => {
    const leaderboard = new PeriodRankings();
    leaderboard.apply(member('ann', [['2026-03-10', 3]]), TODAY);
    await leaderboard.rank(7, TODAY);

    leaderboard.apply(member('ann', [['2026-03-10', 8]]), TODAY);
    expect(await rank(leaderboard, 7)).toEqual([['ann', 8]]);

    leaderboard.apply(member('ann', [['2026-03-10', 8]], 'removed'), TODAY);
    expect(await rank(leaderboard, 7)).toEqual([]);
    expect(leaderboard.approximateBytes).toBe(0);
  });

  it('leaves out a day that has passed', async () => {
    const leaderboard = new PeriodRankings();
    leaderboard.apply(member('ann', [['2026-03-04', 3]]), TODAY);

    expect(await rank(leaderboard, 7)).toEqual([['ann', 3]]);
    expect(await rank(leaderboard, 7, TODAY + 1)).toEqual([]);
  });

  it('forgets members without points in the longest period', async () => {
    const leaderboard = new PeriodRankings();
    leaderboard.apply(member('ann', [['2026-03-10', 3]]), TODAY);

    await leaderboard.rank(7, TODAY + 29);
    expect(leaderboard.approximateBytes).toBeGreaterThan(0);
    await leaderboard.rank(7, TODAY + 30);
    expect(leaderboard.approximateBytes).toBe(0);
  });

  it('keeps no days before the longest period', () => {
    const leaderboard = new PeriodRankings();

    leaderboard.apply(member('ann', [['2026-02-08', 3]]), TODAY);

    expect(leaderboard.approximateBytes).toBe(0);
  });
});

import type { DailyPoints } from '../../src/community/domain/daily-points.js';
import { dayOf } from '../../src/community/domain/daily-points.js';
import type { MemberDocument } from '../../src/community/projections/members.js';
import { RecentBoard } from '../../src/community/recent-board.js';

const TODAY = dayOf(Date.parse('2026-03-10'));
const member = (id: string, _daily: DailyPoints, status = 'active') => ({ id, status, _daily }) as MemberDocument;

const rank = async (board: RecentBoard, days: number, today = TODAY) =>
  (await board.rank(days, today)).getPage(0, 10).map(({ memberId, points }) => [memberId, points]);

describe('The board of recent points', () => {
  it('ranks by the days of each period', async () => {
    const board = new RecentBoard();
    board.apply(member('ann', [['2026-03-03', 9], ['2026-03-04', 1]]), TODAY); // prettier-ignore
    board.apply(member('ben', [['2026-03-10', 5]]), TODAY);

    expect(await rank(board, 7)).toEqual([['ben', 5], ['ann', 1]]); // prettier-ignore
    expect(await rank(board, 30)).toEqual([['ann', 10], ['ben', 5]]); // prettier-ignore
  });

  it('follows later changes of a member', async () => {
    const board = new RecentBoard();
    board.apply(member('ann', [['2026-03-10', 3]]), TODAY);
    await board.rank(7, TODAY);

    board.apply(member('ann', [['2026-03-10', 8]]), TODAY);
    expect(await rank(board, 7)).toEqual([['ann', 8]]);

    board.apply(member('ann', [['2026-03-10', 8]], 'removed'), TODAY);
    expect(await rank(board, 7)).toEqual([]);
    expect(board.approximateBytes).toBe(0);
  });

  it('leaves out a day that has passed', async () => {
    const board = new RecentBoard();
    board.apply(member('ann', [['2026-03-04', 3]]), TODAY);

    expect(await rank(board, 7)).toEqual([['ann', 3]]);
    expect(await rank(board, 7, TODAY + 1)).toEqual([]);
  });

  it('forgets members without points in the longest period', async () => {
    const board = new RecentBoard();
    board.apply(member('ann', [['2026-03-10', 3]]), TODAY);

    await board.rank(7, TODAY + 29);
    expect(board.approximateBytes).toBeGreaterThan(0);
    await board.rank(7, TODAY + 30);
    expect(board.approximateBytes).toBe(0);
  });

  it('keeps no days before the longest period', () => {
    const board = new RecentBoard();

    board.apply(member('ann', [['2026-02-08', 3]]), TODAY);

    expect(board.approximateBytes).toBe(0);
  });
});

import { type RankedMember, Ranking } from '../../../src/community/domain/ranking.js';

const create = (members: readonly RankedMember[]) => {
  const ranking = new Ranking();
  for (const one of members) ranking.add(one);
  return ranking;
};
const toMember = (n: number, points: number) => ({ memberId: `mem_${String(n).padStart(5, '0')}`, points });

describe('A ranking', () => {
  it('orders by points, then by id, both descending', () => {
    const ranking = create([toMember(1, 5), toMember(2, 9), toMember(3, 5)]);

    expect(ranking.getPage(0, 10)).toEqual([toMember(2, 9), toMember(3, 5), toMember(1, 5)]);
    expect(ranking.getPage(1, 1)).toEqual([toMember(3, 5)]);
  });

  it('counts the members with more points', () => {
    const ranking = create([toMember(1, 5), toMember(2, 9), toMember(3, 5)]);

    expect([9, 5, 1].map((points) => ranking.countAhead(points))).toEqual([0, 1, 3]);
  });

  it('is empty without members', () => {
    const ranking = create([]);
    ranking.remove(toMember(1, 5));

    expect([ranking.size, ranking.getPage(0, 10), ranking.countAhead(0)]).toEqual([0, [], 0]);
  });

  it('equals a sorted list after thousands of additions and removals', () => {
    const all = Array.from({ length: 5_000 }, (_, n) => toMember((n * 7_919) % 5_000, (n * 31) % 97));
    const ranking = create(all);
    for (const removed of all.filter((_, n) => n % 3 === 0)) ranking.remove(removed);

    const sorted = all
      .filter((_, n) => n % 3 !== 0)
      .sort((a, b) => b.points - a.points || (a.memberId < b.memberId ? 1 : -1));
    expect(ranking.size).toBe(sorted.length);
    expect(ranking.getPage(0, 5_000)).toEqual(sorted);
    expect(ranking.getPage(1_700, 900)).toEqual(sorted.slice(1_700, 2_600));
    for (let points = 0; points < 100; points++)
      expect(ranking.countAhead(points)).toBe(sorted.filter((one) => one.points > points).length);
  });
});

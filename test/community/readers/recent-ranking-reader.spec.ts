import { addPoints } from '../../../src/community/domain/daily-points.js';
import type { MemberDocument } from '../../../src/community/projections/members.js';
import { RecentRankingReader } from '../../../src/community/readers/recent-ranking-reader.js';
import type { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import type { Position } from '../../../src/kernel/position.js';
import { ManualClock } from '../../support/clock.js';
import { NOW } from '../facts.js';

const AWARDS = [
  ['ann', 9],
  ['ben', 5],
  ['cora', 3],
  ['dan', 1],
] as const;

const toPosition = (n: number) => String(n).padStart(4, '0');

/** A log, and the read model of members, which may lag. */
class LaggingMembers {
  readonly awards: { readonly id: string; readonly points: number; readonly position: number }[] = [];
  projected = 0;
  reads: string[][] = [];
  /** Runs after the next read, before its result is returned. */
  afterRead: () => void = () => undefined;

  award(id: string, points: number): void {
    this.awards.push({ id, points, position: this.awards.length + 1 });
  }

  createLeaderboards(): RecentRankingReader {
    const store = { readHead: () => Promise.resolve(toPosition(this.awards.length)) };
    const reader = {
      waitUntil: (_: unknown, position: Position) => Promise.resolve(position <= toPosition(this.projected)),
      getSlice: (_: unknown, { where }: { where: { _changedAt: { from: Position } } }) => {
        const data = this.listMembers().filter(({ _changedAt }) => _changedAt! >= where._changedAt.from);
        this.reads.push(data.map(({ id }) => id));
        this.afterRead();
        return Promise.resolve({ data, pagination: { next_cursor: null, has_more: false } });
      },
    };
    return new RecentRankingReader(
      reader as unknown as ReadModelReader,
      store as unknown as EventStore,
      new ManualClock(Date.parse(NOW)),
    );
  }

  private listMembers(): MemberDocument[] {
    const projected = this.awards.slice(0, this.projected);
    return projected.map(({ id, points, position }) => {
      const _daily = addPoints([], NOW, points);
      return { id, status: 'active', _daily, _changedAt: toPosition(position) } as unknown as MemberDocument;
    });
  }
}

async function rank(leaderboards: RecentRankingReader): Promise<string[]> {
  const ranking = await leaderboards.rank('com_1', 7, new ConsistencyContext());
  return ranking.getPage(0, 10).map(({ memberId }) => memberId);
}

describe('A leaderboard of recent points', () => {
  it('has an award that the read model did not have at the first request', async () => {
    const members = new LaggingMembers();
    const leaderboards = members.createLeaderboards();
    members.award('ann', 9);
    members.award('ben', 5);
    members.projected = 1;

    expect(await rank(leaderboards)).toEqual(['ann']);
    members.projected = 2;
    expect(await rank(leaderboards)).toEqual(['ann', 'ben']);
  });

  it.each([1, 2])('has each award when the read model lacks %i events at every request', async (lag) => {
    const members = new LaggingMembers();
    const leaderboards = members.createLeaderboards();
    for (const [id, points] of AWARDS) {
      members.award(id, points);
      members.projected = Math.max(0, members.awards.length - lag);
      await rank(leaderboards);
    }
    members.projected = 4;

    expect(await rank(leaderboards)).toEqual(['ann', 'ben', 'cora', 'dan']);
  });

  it('has an award that reaches the read model while it is read', async () => {
    const members = new LaggingMembers();
    const leaderboards = members.createLeaderboards();
    for (const [id, points] of AWARDS) members.award(id, points);
    members.projected = 1;
    members.afterRead = () => (members.projected = 4);
    await rank(leaderboards);

    expect(await rank(leaderboards)).toEqual(['ann', 'ben', 'cora', 'dan']);
  });

  it('reads no old change again when the read model lacks one event at every request', async () => {
    const members = new LaggingMembers();
    const leaderboards = members.createLeaderboards();
    for (const [id, points] of AWARDS) {
      members.award(id, points);
      members.projected = members.awards.length - 1;
      await rank(leaderboards);
    }

    expect(members.reads).toEqual([[], ['ann'], ['ann', 'ben'], ['ben', 'cora']]);
  });

  it('reads no old change again when the read model stops', async () => {
    const members = new LaggingMembers();
    const leaderboards = members.createLeaderboards();
    for (const [id, points] of AWARDS) members.award(id, points);
    members.projected = 4;
    await rank(leaderboards);
    for (const id of ['eva', 'fay']) members.award(id, 2);
    members.reads = [];
    for (let requests = 1; requests <= 3; requests++) await rank(leaderboards);

    expect(members.reads).toEqual([['dan'], ['dan'], ['dan']]);
  });

  it('reads each change once for two requests at the same time', async () => {
    const members = new LaggingMembers();
    const leaderboards = members.createLeaderboards();
    for (const [id, points] of AWARDS) members.award(id, points);
    members.projected = 4;
    await Promise.all([rank(leaderboards), rank(leaderboards)]);

    expect(members.reads).toEqual([AWARDS.map(([id]) => id), ['dan']]);
  });

  it('reads a change once when the read model is complete', async () => {
    const members = new LaggingMembers();
    const leaderboards = members.createLeaderboards();
    members.award('ann', 9);
    members.award('ben', 5);
    members.projected = 2;
    await rank(leaderboards);
    members.award('cora', 7);
    members.projected = 3;

    expect(await rank(leaderboards)).toEqual(['ann', 'cora', 'ben']);
    expect(members.reads).toEqual([
      ['ann', 'ben'],
      ['ben', 'cora'],
    ]);
  });
});

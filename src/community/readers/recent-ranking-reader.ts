import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '../../engine/keyed-mutex.js';
import { LruCache } from '../../engine/lru-cache.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import { Clock } from '../../kernel/clock.js';
import type { ConsistencyContext } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { type Position, START } from '../../kernel/position.js';
import { toDay } from '../domain/daily-points.js';
import type { Ranking } from '../domain/ranking.js';
import { members } from '../projections/members.js';
import { PeriodRankings } from './period-rankings.js';

const SLICE = 500;
/** Approximate memory of the rankings of all communities. Those of a larger community are held alone. */
const CAPACITY_BYTES = 128_000_000;

/** The rankings of a community, and the part of the read model that they contain. */
interface FollowedRankings {
  readonly periods: PeriodRankings;
  /** Every change up to this position has been read. */
  readonly reached: Position;
  /** The head of the log at the latest read. */
  readonly head: Position;
}

/**
 * Ranks members by the points of recent days. Each process holds the daily points of the communities that were asked
 * for lately, and a request reads only the members whose points or status have changed since the last one.
 */
@Injectable()
export class RecentRankingReader {
  private readonly rankings = new LruCache<string, FollowedRankings>(CAPACITY_BYTES, ({ periods }) =>
    Math.min(periods.approximateBytes, CAPACITY_BYTES),
  );
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly reader: ReadModelReader,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Returns the ranking of the members who have points in the last days. Use it before the next await. */
  rank(communityId: string, days: number, consistency: ConsistencyContext): Promise<Ranking> {
    return this.mutex.run(communityId, async () => {
      const today = toDay(this.clock.now());
      const known = this.rankings.get(communityId) ?? {
        periods: new PeriodRankings(),
        reached: START,
        head: START,
      };
      const followed = await this.refresh(known, communityId, today, consistency);
      const ranking = await followed.periods.rank(days, today);
      this.rankings.set(communityId, followed);
      return ranking;
    });
  }

  /** Reads the changes since a position up to which every change has been read, so that none is missed. */
  private async refresh(
    known: FollowedRankings,
    communityId: string,
    today: number,
    consistency: ConsistencyContext,
  ): Promise<FollowedRankings> {
    const { periods } = known;
    const head = await this.store.readHead();
    const reached = await this.findReached([head, known.head], known.reached);
    const where = { 'community.id': communityId, _changedAt: { from: known.reached } };
    const request = { where, limit: SLICE, orderBy: '_changedAt', ascending: true } as const;
    for await (const slice of readSlices(this.reader, members, request, consistency))
      for (const member of slice) periods.apply(member, today);
    return { periods, reached, head };
  }

  /** Returns the first position that the read model has reached before it is read; else the position of before. */
  private async findReached(positions: readonly Position[], before: Position): Promise<Position> {
    for (const position of positions) if (await this.reader.waitUntil(members, position, 0)) return position;
    return before;
  }
}

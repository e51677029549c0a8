import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '../engine/keyed-mutex.js';
import { LruCache } from '../engine/lru-cache.js';
import { ReadModelReader } from '../engine/read-models/read-model-reader.js';
import { readSlices } from '../engine/read-models/read-slices.js';
import { Clock } from '../kernel/clock.js';
import type { ConsistencyContext } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import { type Position, START } from '../kernel/position.js';
import { toDay } from './domain/daily-points.js';
import type { Ranking } from './domain/ranking.js';
import { members } from './projections/members.js';
import { RecentLeaderboard } from './recent-leaderboard.js';

const SLICE = 500;
/** Approximate memory of all leaderboards. A larger leaderboard is held alone. */
const CAPACITY_BYTES = 128_000_000;

/** A leaderboard, and the part of the read model that it contains. */
interface FollowedLeaderboard {
  readonly leaderboard: RecentLeaderboard;
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
export class RecentLeaderboards {
  private readonly leaderboards = new LruCache<string, FollowedLeaderboard>(CAPACITY_BYTES, ({ leaderboard }) =>
    Math.min(leaderboard.approximateBytes, CAPACITY_BYTES),
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
      const known = this.leaderboards.get(communityId) ?? {
        leaderboard: new RecentLeaderboard(),
        reached: START,
        head: START,
      };
      const followed = await this.refresh(known, communityId, today, consistency);
      const ranking = await followed.leaderboard.rank(days, today);
      this.leaderboards.set(communityId, followed);
      return ranking;
    });
  }

  /** Reads the changes since a position at which the read model was complete, so that none is missed. */
  private async refresh(
    known: FollowedLeaderboard,
    communityId: string,
    today: number,
    consistency: ConsistencyContext,
  ): Promise<FollowedLeaderboard> {
    const { leaderboard } = known;
    const head = await this.store.readHead();
    const reached = (await this.reader.waitUntil(members, known.head, 0)) ? known.head : known.reached;
    const where = { 'community.id': communityId, _changedAt: { from: reached } };
    const request = { where, limit: SLICE, orderBy: '_changedAt', ascending: true };
    for await (const slice of readSlices(this.reader, members, request, consistency))
      for (const member of slice) leaderboard.apply(member, today);
    return { leaderboard, reached, head };
  }
}

import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '../engine/keyed-mutex.js';
import { LruCache } from '../engine/lru-cache.js';
import { ReadModelReader, type SliceResult } from '../engine/read-models/read-model-reader.js';
import { Clock } from '../kernel/clock.js';
import type { ConsistencyContext } from '../kernel/context.js';
import { EventStore } from '../kernel/event-store.js';
import { type Position, START } from '../kernel/position.js';
import { type DailyPoints, findFirstDay, sumSince } from './domain/daily-points.js';
import { type MemberDocument, members } from './projections/members.js';

const SLICE = 1_000;
const MAX_COMMUNITIES = 100;

/** The points of a member in a period. */
export interface Standing {
  readonly memberId: string;
  readonly points: number;
}

/** The daily points of the active members of a community, as this process has read them. */
class Board {
  readonly daily = new Map<string, DailyPoints>();
  /** Every change up to this position has been read. */
  reached: Position = START;
  /** The head of the log at the latest read. */
  head: Position = START;
  private readonly ranked = new Map<string, readonly Standing[]>();

  apply({ id, status, _daily }: MemberDocument): void {
    if (status === 'active') this.daily.set(id, _daily);
    else this.daily.delete(id);
  }

  forgetRanking(): void {
    this.ranked.clear();
  }

  /** Returns the members with points since the first day, in the order of page lists: descending, then by id. */
  rank(firstDay: string): readonly Standing[] {
    const known = this.ranked.get(firstDay);
    if (known !== undefined) return known;
    const standings = [...this.daily]
      .map(([memberId, daily]) => ({ memberId, points: sumSince(daily, firstDay) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points || (a.memberId < b.memberId ? 1 : -1));
    this.ranked.set(firstDay, standings);
    return standings;
  }
}

/**
 * Ranks members by the points of recent days. Each process holds the daily points of the communities that were asked
 * for lately, and a request reads only the members whose points or status have changed since the last one.
 */
@Injectable()
export class RecentStandings {
  private readonly boards = new LruCache<string, Board>(MAX_COMMUNITIES);
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly reader: ReadModelReader,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Returns the members who have points in the last days, in their order. */
  rank(communityId: string, days: number, consistency: ConsistencyContext): Promise<readonly Standing[]> {
    return this.mutex.run(communityId, async () => {
      const board = this.boards.get(communityId) ?? new Board();
      this.boards.set(communityId, board);
      await this.refresh(board, communityId, consistency);
      return board.rank(findFirstDay(this.clock.now(), days));
    });
  }

  /** Reads the changes since a position at which the read model was complete, so that none is missed. */
  private async refresh(board: Board, communityId: string, consistency: ConsistencyContext): Promise<void> {
    const head = await this.store.readHead();
    if (await this.reader.waitUntil(members, board.head, 0)) board.reached = board.head;
    const where = { 'community.id': communityId, _changedAt: { from: board.reached } };
    let after: string | null = null;
    do {
      const request = { where, limit: SLICE, after, orderBy: '_changedAt', ascending: true };
      const found: SliceResult<MemberDocument> = await this.reader.getSlice(members, request, consistency);
      for (const member of found.data) board.apply(member);
      if (found.data.length > 0) board.forgetRanking();
      after = found.pagination.next_cursor;
    } while (after !== null);
    board.head = head;
  }
}

import { Injectable } from '@nestjs/common';
import { enterOnce, findEarlierEvent, isUpTo } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import { communityDecider } from '../domain/community.js';
import type { LevelRules } from '../domain/levels.js';
import { memberDecider } from '../domain/member.js';
import {
  type Award,
  entryIdOf,
  type KeptAward,
  type NewEntry,
  pointsDecider,
  type PointsEvent,
} from '../domain/points.js';
import type { PointsReversalEvent } from '../domain/points-reversal.js';

type Account = Pick<Award, 'communityId' | 'memberId'>;

const PAID_TOGETHER = 100;

/** Enters awards and reversals into the ledgers of members. */
@Injectable()
export class Ledgers {
  constructor(private readonly streams: Streams) {}

  /**
   * Enters an award once per award id, and returns the entry.
   * @param reserved the PointsReserved event of its source; null for an award without a source, whose id is unique
   */
  async enter(award: Award, context: Context, reserved: RecordedEvent | null): Promise<RecordedEvent> {
    return this.enterOnce(award, { type: 'AwardPoints', award }, createChildContext(context, 'credit'), reserved);
  }

  /** Enters a requested reversal once, and returns the entry. */
  async reverse(requested: RecordedOf<PointsReversalEvent>, context: Context): Promise<RecordedEvent> {
    const reversal = requested.data;
    const child = createChildContext(context, 'reverse');
    return this.enterOnce(reversal, { type: 'ReversePoints', reversal }, child, requested);
  }

  private async enterOnce(
    account: Account,
    entry: NewEntry,
    context: Context,
    cause: RecordedEvent | null,
  ): Promise<RecordedEvent> {
    const { levelRules, isKept } = await this.loadRules(account);
    const since = cause?.meta.at ?? null;
    const enter = async (searched: number) => {
      const command = { ...entry, levelRules, isKept, since, searched };
      const { recorded, state } = await this.streams.execute(pointsDecider, account.memberId, command, context);
      return { entry: recorded[0], count: state.entries };
    };
    const entryId = entry.type === 'AwardPoints' ? entry.award.awardId : entry.reversal.reversalId;
    return enterOnce(enter, () => this.findEntry(account.memberId, entryId, cause?.position ?? START));
  }

  /** Pays awards that were kept until their member joined, each once. */
  async pay(memberId: string, awards: readonly KeptAward[], context: Context): Promise<void> {
    for (let i = 0; i < awards.length; i += PAID_TOGETHER) {
      const command = { type: 'PayPoints', awards: awards.slice(i, i + PAID_TOGETHER) } as const;
      await this.streams.execute(pointsDecider, memberId, command, createChildContext(context, 'pay', i));
    }
  }

  /** The points of a member who has not signed in yet are kept. */
  private async loadRules({ communityId, memberId }: Account): Promise<{ levelRules: LevelRules; isKept: boolean }> {
    const [community, member] = await Promise.all([
      this.streams.loadState(communityDecider, communityId),
      this.streams.loadState(memberDecider, memberId),
    ]);
    if (community.status === 'unknown' || member.status === 'unknown') throw Rejection.notFound();
    const { minimumLevel, isPending } = member;
    return { levelRules: { levels: community.settings.levels, minimumLevel }, isKept: isPending };
  }

  private findEntry(memberId: string, entryId: string, since: Position): Promise<RecordedEvent | null> {
    const isWanted = (event: RecordedOf<PointsEvent>) => event.type !== 'PointsPaid' && entryIdOf(event) === entryId;
    return findEarlierEvent(this.streams, pointsDecider, memberId, isUpTo({ position: since }), isWanted);
  }
}

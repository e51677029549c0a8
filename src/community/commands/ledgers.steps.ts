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
import { type Award, entryIdOf, type NewEntry, pointsDecider, type PointsEvent } from '../domain/points.js';
import type { PointsReversalEvent } from '../domain/points-reversal.js';

type Account = Pick<Award, 'communityId' | 'memberId'>;

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
    const levelRules = await this.loadLevelRules(account);
    const since = cause?.meta.at ?? null;
    const enter = async (searched: number) => {
      const command = { ...entry, levelRules, since, searched };
      const { recorded, state } = await this.streams.execute(pointsDecider, account.memberId, command, context);
      return { entry: recorded[0], count: state.entries };
    };
    const entryId = entry.type === 'AwardPoints' ? entry.award.awardId : entry.reversal.reversalId;
    return enterOnce(enter, () => this.findEntry(account.memberId, entryId, cause?.position ?? START));
  }

  private async loadLevelRules({ communityId, memberId }: Account): Promise<LevelRules> {
    const [community, member] = await Promise.all([
      this.streams.loadState(communityDecider, communityId),
      this.streams.loadState(memberDecider, memberId),
    ]);
    if (community.status === 'unknown' || member.status === 'unknown') throw Rejection.notFound();
    return { levels: community.settings.levels, minimumLevel: member.minimumLevel };
  }

  private findEntry(memberId: string, entryId: string, since: Position): Promise<RecordedEvent | null> {
    const isWanted = (event: RecordedOf<PointsEvent>) => entryIdOf(event) === entryId;
    return findEarlierEvent(this.streams, pointsDecider, memberId, isUpTo({ position: since }), isWanted);
  }
}

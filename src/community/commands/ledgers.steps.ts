import { Injectable } from '@nestjs/common';
import { enterOnce, findEarlierEvent, isUpTo } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import { communityDecider } from '../domain/community.js';
import type { LevelRules } from '../domain/levels.js';
import { memberDecider } from '../domain/member.js';
import { type Award, pointsDecider, type PointsEvent } from '../domain/points.js';

/** Enters awards into the ledgers of members. */
@Injectable()
export class Ledgers {
  constructor(private readonly streams: Streams) {}

  /**
   * Enters an award once per award id, and returns the entry.
   * @param reserved the PointsReserved event of its source; null for an award without a source, whose id is unique
   */
  async enter(award: Award, context: Context, reserved: RecordedEvent | null): Promise<RecordedEvent> {
    const levelRules = await this.loadLevelRules(award);
    const since = reserved?.meta.at ?? null;
    const child = createChildContext(context, 'credit');
    const enter = async (searched: number) => {
      const command = { type: 'AwardPoints', award, levelRules, since, searched } as const;
      const { recorded, state } = await this.streams.execute(pointsDecider, award.memberId, command, child);
      return { entry: recorded[0], count: state.entries };
    };
    return enterOnce(enter, () => this.findEntry(award, reserved?.position ?? START));
  }

  private async loadLevelRules({ communityId, memberId }: Award): Promise<LevelRules> {
    const [community, member] = await Promise.all([
      this.streams.loadState(communityDecider, communityId),
      this.streams.loadState(memberDecider, memberId),
    ]);
    if (community.status === 'unknown' || member.status === 'unknown') throw Rejection.notFound();
    return { levels: community.settings.levels, minimumLevel: member.minimumLevel };
  }

  private findEntry({ awardId, memberId }: Award, since: Position): Promise<RecordedEvent | null> {
    const isWanted = ({ data }: RecordedEvent) => (data as PointsEvent['data']).awardId === awardId;
    return findEarlierEvent(this.streams, pointsDecider, memberId, isUpTo({ position: since }), isWanted);
  }
}

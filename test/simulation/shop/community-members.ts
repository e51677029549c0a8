import { Awards } from '../../../src/community/commands/awards.steps.js';
import { Reversals } from '../../../src/community/commands/reversals.steps.js';
import type { PointsEvent } from '../../../src/community/domain/points.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { idOf } from '../../../src/kernel/ids.js';
import { CommunityVisitors } from './community-visitors.js';

const USERS = ['usr_2', 'usr_3'];
const SOURCES = ['lesson_1', 'lesson_2', 'lesson_3'];
const POINTS = 50;

type Awarded = RecordedOf<Extract<PointsEvent, { type: 'PointsAwarded' }>>;

/** Simulated clients of a community: members join, get points for sources, and lose them again. */
export class CommunityMembers extends CommunityVisitors {
  /** Founds a community; its members come within the next `ms`. */
  start(ms: number): void {
    this.schedule(0, async () => {
      const communityId = await this.found('community');
      if (communityId === null) return;
      for (const userId of USERS)
        this.schedule(this.random.between(0, ms / 4), () => this.join(communityId, userId, ms));
      for (let left = this.random.integer(0, 4); left > 0; left--)
        this.schedule(this.random.between(ms / 4, ms), () => this.reverse(`reversal-${left}`));
    });
  }

  private async join(communityId: string, userId: string, ms: number): Promise<void> {
    const member = await this.joinCommunity(communityId, userId);
    if (member === null) return;
    for (let left = this.random.integer(1, 4); left > 0; left--)
      this.schedule(this.random.between(0, ms / 2), () => this.award(`award-${left} of ${userId}`, member));
  }

  /** Several awards name the same source. */
  private async award(
    name: string,
    { communityId, memberId, userId }: Pick<Awarded['data'], 'communityId' | 'memberId' | 'userId'>,
  ): Promise<void> {
    const source = { sourceType: 'lesson', sourceId: this.random.pick(SOURCES) };
    await this.requestOrGiveUp(`${name} for ${source.sourceId}`, (process, context) => {
      const awardId = idOf('pta', context.at, context.commandId);
      const award = { awardId, communityId, memberId, userId, email: null, points: POINTS, ...source };
      return process.get(Awards).pay(award, context);
    });
  }

  private async reverse(name: string): Promise<void> {
    const awarded = this.world.stores.events.log.filter(({ type }) => type === 'PointsAwarded') as readonly Awarded[];
    if (awarded.length === 0) return;
    const { awardId, communityId, memberId, userId, points, at } = this.random.pick(awarded).data;
    const member = { communityId, memberId, userId, email: null };
    await this.requestOrGiveUp(`${name} of ${awardId}`, (process, context) => {
      const reversalId = idOf('pta', context.at, context.commandId);
      const reason = { reason: 'a mistake', reversedBy: 'usr_1' };
      const reversal = { reversalId, awardId, ...member, awardedPoints: points, awardedAt: at, ...reason };
      return process.get(Reversals).reverse(reversal, context);
    });
  }
}

import { Awards } from '../../../src/community/commands/awards.steps.js';
import {
  CancelChallenge,
  CancelChallengeHandler,
  CreateChallenge,
  CreateChallengeHandler,
  JoinChallenge,
  JoinChallengeHandler,
} from '../../../src/community/commands/challenge.commands.js';
import { CreatePost, CreatePostHandler } from '../../../src/community/commands/post.commands.js';
import type { GoalType } from '../../../src/community/domain/challenge.js';
import type { NewMember } from '../../../src/community/domain/member-events.js';
import { idOf } from '../../../src/kernel/ids.js';
import { CommunityVisitors, toSession } from './community-visitors.js';

const OWNER = 'usr_1';
const USERS = ['usr_4', 'usr_5'];
const GOAL_TYPES: readonly GoalType[] = ['posts', 'cp'];
const REWARDS = [0, 20];
const POINTS = 10;
const POST = { content: 'Hello', attachments: [], metadata: {}, requiredLevel: 0, videoUrl: null };
const UNTITLED = { title: 'A challenge', description: null, prizeDescription: null, deadlineTimezone: 'UTC' };

/** Simulated members of a community with challenges: they join challenges, write posts and get points. */
export class Challengers extends CommunityVisitors {
  private readonly challengeIds: string[] = [];

  /** Founds a community; its challenges and members come within the next `ms`. */
  start(ms: number): void {
    this.schedule(0, async () => {
      const communityId = await this.found('community with challenges');
      if (communityId === null) return;
      for (let left = this.random.integer(1, 3); left > 0; left--)
        this.schedule(this.random.between(0, ms / 4), () => this.create(`challenge-${left}`, communityId, ms));
      for (const userId of USERS)
        this.schedule(this.random.between(0, ms / 4), () => this.enter(communityId, userId, ms));
    });
  }

  private async create(name: string, communityId: string, ms: number): Promise<void> {
    const goalType = this.random.pick(GOAL_TYPES);
    const goalTarget = this.random.integer(1, 2) * (goalType === 'cp' ? POINTS : 1);
    const goal = { goalType, goalTarget, cpReward: this.random.pick(REWARDS), startsAt: null, endsAt: null };
    const content = { ...UNTITLED, ...goal };
    const created = await this.request(name, (process, context) =>
      process
        .get(CreateChallengeHandler)
        .execute(new CreateChallenge(toSession(context, OWNER), { communityId, content })),
    );
    if (created === null) return;
    const { id } = created.value;
    this.challengeIds.push(id);
    if (this.random.chance(0.2)) this.schedule(this.random.between(0, ms), () => this.cancel(id));
  }

  private async enter(communityId: string, userId: string, ms: number): Promise<void> {
    const member = await this.joinCommunity(communityId, userId);
    if (member === null) return;
    for (let left = this.random.integer(2, 3); left > 0; left--)
      this.schedule(this.random.between(0, ms / 2), () => this.joinChallenge(`entry-${left}`, userId));
    for (let left = this.random.integer(1, 4); left > 0; left--)
      this.schedule(this.random.between(0, ms), () => this.post(`post-${left} of ${userId}`, member));
    for (let left = this.random.integer(1, 3); left > 0; left--)
      this.schedule(this.random.between(0, ms), () => this.award(`prize-${left} of ${userId}`, member));
  }

  private async joinChallenge(name: string, userId: string): Promise<void> {
    if (this.challengeIds.length === 0) return;
    const id = this.random.pick(this.challengeIds);
    await this.request(`${name} of ${userId} in ${id}`, (process, context) =>
      process.get(JoinChallengeHandler).execute(new JoinChallenge(toSession(context, userId), { id })),
    );
  }

  private async post(name: string, { communityId, userId }: NewMember): Promise<void> {
    await this.request(name, (process, context) =>
      process
        .get(CreatePostHandler)
        .execute(new CreatePost(toSession(context, userId), { communityId, content: POST })),
    );
  }

  private async award(name: string, { communityId, memberId, userId }: NewMember): Promise<void> {
    const source = { sourceType: 'prize', sourceId: name };
    await this.requestOrGiveUp(name, (process, context) => {
      const awardId = idOf('pta', context.at, context.commandId);
      const award = { awardId, communityId, memberId, userId, email: null, points: POINTS, ...source };
      return process.get(Awards).pay(award, context);
    });
  }

  private async cancel(id: string): Promise<void> {
    await this.request(`cancel ${id}`, (process, context) =>
      process.get(CancelChallengeHandler).execute(new CancelChallenge(toSession(context, OWNER), { id })),
    );
  }
}

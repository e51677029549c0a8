import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext, createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { challengeDecider, type KnownChallenge } from '../domain/challenge.js';
import { challengeEntryDecider, challengeEntryIdOf } from '../domain/challenge-entry.js';
import { type Activity, isOver, mayCount } from '../domain/challenge-goal.js';
import type { CommentEvent } from '../domain/comment.js';
import type { OnboardingCompletionEvent } from '../domain/onboarding-completion.js';
import type { PointsEvent } from '../domain/points.js';
import type { PostEvent } from '../domain/post.js';
import { challengeEntries } from '../projections/challenge-entries.js';

const PAGE = 100;

type ActivityFact = Extract<
  PostEvent | CommentEvent | OnboardingCompletionEvent | PointsEvent,
  { type: 'PostCreated' | 'CommentCreated' | 'OnboardingTaskCompleted' | 'PointsAwarded' | 'PointsReversed' }
>;
type ActivityEvent = RecordedOf<ActivityFact>;
type ReversalEvent = RecordedOf<Extract<PointsEvent, { type: 'PointsReversed' }>>;

/**
 * Counts what members do for the challenges that they have joined, once per event, and closes entries of past ones.
 * Awards that are reversed count no more.
 */
@Injectable()
export class CountChallengeProgress implements Reactor<ActivityFact> {
  readonly name = 'count-challenge-progress';
  readonly types = typesOf<ActivityFact>({
    PostCreated: true,
    CommentCreated: true,
    OnboardingTaskCompleted: true,
    PointsAwarded: true,
    PointsReversed: true,
  });
  readonly needs = [challengeEntries];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  async react(event: ActivityEvent): Promise<void> {
    await this.reader.requirePosition(challengeEntries, event.position);
    const context = createEventContext(event, this.name);
    if (event.type === 'PointsReversed') return this.withdraw(event, context);
    const { userId, activity } = describeActivity(event);
    for await (const challengeId of this.findOpenChallenges(event.data.communityId, userId, context))
      await this.count(challengeId, userId, activity, context);
  }

  private async withdraw({ data, meta: { at } }: ReversalEvent, context: Context): Promise<void> {
    const { communityId, userId, awardId } = data;
    for await (const challengeId of this.findOpenChallenges(communityId, userId, context)) {
      const challenge = await this.streams.loadState(challengeDecider, challengeId);
      if (challenge.status === 'unknown') continue;
      const command = { type: 'WithdrawAward', challenge, awardId, at } as const;
      await this.streams.execute(challengeEntryDecider, challengeEntryIdOf(challengeId, userId), command, context);
    }
  }

  private async *findOpenChallenges(communityId: string, userId: string, { consistency }: Context) {
    const where = { _community: communityId, 'user.id': userId, _open: true };
    const request = { where, limit: PAGE, orderBy: 'joined_at' } as const;
    for await (const slice of readSlices(this.reader, challengeEntries, request, consistency))
      yield* slice.map(({ challenge }) => challenge.id);
  }

  private async count(challengeId: string, userId: string, activity: Activity, context: Context): Promise<void> {
    const challenge = await this.streams.loadState(challengeDecider, challengeId);
    if (challenge.status === 'unknown') return;
    const type = isOver(challenge, activity.at) ? 'CloseEntry' : 'CountProgress';
    if (type === 'CountProgress' && !mayCount(activity, challenge)) return;
    const command = { type, challenge, activity } as const;
    const entryId = challengeEntryIdOf(challengeId, userId);
    await this.streams.execute(challengeEntryDecider, entryId, command, context);
    if (type === 'CountProgress') await this.completeIfLowered(entryId, challenge, activity, context);
  }

  /** The goal may have been lowered while the activity was counted for the former goal. */
  private async completeIfLowered(entryId: string, counted: KnownChallenge, { at }: Activity, context: Context) {
    const challenge = await this.streams.loadState(challengeDecider, counted.id);
    if (challenge.status === 'unknown' || challenge.content.goalTarget >= counted.content.goalTarget) return;
    const command = { type: 'CompleteReached', challenge, at } as const;
    await this.streams.execute(challengeEntryDecider, entryId, command, createChildContext(context, 'complete'));
  }
}

function describeActivity(event: Exclude<ActivityEvent, ReversalEvent>): {
  readonly userId: string;
  readonly activity: Activity;
} {
  const { at } = event.meta;
  switch (event.type) {
    case 'PostCreated':
      return { userId: event.data.authorId, activity: { type: 'post', at } };
    case 'CommentCreated':
      return { userId: event.data.authorId, activity: { type: 'comment', at } };
    case 'OnboardingTaskCompleted':
      return { userId: event.data.userId, activity: { type: 'task', at } };
    case 'PointsAwarded': {
      const { userId, awardId, points, sourceType, sourceId } = event.data;
      return { userId, activity: { type: 'award', at, awardId, points, sourceType, sourceId } };
    }
  }
}

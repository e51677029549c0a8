import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { challengeDecider } from '../domain/challenge.js';
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
  { type: 'PostCreated' | 'CommentCreated' | 'OnboardingTaskCompleted' | 'PointsAwarded' }
>;
type ActivityEvent = RecordedOf<ActivityFact>;

/** Counts what members do for the challenges that they have joined, once per event, and closes entries of past ones. */
@Injectable()
export class CountChallengeProgress implements Reactor<ActivityFact> {
  readonly name = 'count-challenge-progress';
  readonly types = typesOf<ActivityFact>({
    PostCreated: true,
    CommentCreated: true,
    OnboardingTaskCompleted: true,
    PointsAwarded: true,
  });
  readonly needs = [challengeEntries];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  async react(event: ActivityEvent): Promise<void> {
    await this.reader.requirePosition(challengeEntries, event.position);
    const context = createEventContext(event, this.name);
    const { userId, activity } = describeActivity(event);
    for await (const challengeId of this.findOpenChallenges(event.data.communityId, userId, context))
      await this.count(challengeId, userId, activity, context);
  }

  private async *findOpenChallenges(communityId: string, userId: string, { consistency }: Context) {
    const where = { _community: communityId, 'user.id': userId, _open: true };
    const request = { where, limit: PAGE, orderBy: 'joined_at' };
    for await (const slice of readSlices(this.reader, challengeEntries, request, consistency))
      yield* slice.map(({ challenge }) => challenge.id);
  }

  private async count(challengeId: string, userId: string, activity: Activity, context: Context): Promise<void> {
    const challenge = await this.streams.loadState(challengeDecider, challengeId);
    if (challenge.status === 'unknown') return;
    const type = isOver(challenge, activity.at) ? 'CloseEntry' : 'CountProgress';
    if (type === 'CountProgress' && !mayCount(activity, challenge)) return;
    const command = { type, challenge, activity } as const;
    await this.streams.execute(challengeEntryDecider, challengeEntryIdOf(challengeId, userId), command, context);
  }
}

function describeActivity(event: ActivityEvent): { readonly userId: string; readonly activity: Activity } {
  const { at } = event.meta;
  switch (event.type) {
    case 'PostCreated':
      return { userId: event.data.authorId, activity: { type: 'post', at } };
    case 'CommentCreated':
      return { userId: event.data.authorId, activity: { type: 'comment', at } };
    case 'OnboardingTaskCompleted':
      return { userId: event.data.userId, activity: { type: 'task', at } };
    case 'PointsAwarded': {
      const { userId, points, sourceType, sourceId } = event.data;
      return { userId, activity: { type: 'award', at, points, sourceType, sourceId } };
    }
  }
}

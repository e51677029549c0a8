import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { CommunityAccess } from '../access/community-access.js';
import { challengeDecider, type ChallengeEvent } from '../domain/challenge.js';
import { challengeEntryDecider, challengeEntryIdOf } from '../domain/challenge-entry.js';
import { isPresent } from '../domain/member-state.js';
import { challengeEntries } from '../projections/challenge-entries.js';

const PAGE = 100;

type ChallengeEdited = Extract<ChallengeEvent, { type: 'ChallengeEdited' }>;

/** Completes the entries of members that have reached a goal before it was lowered to their count. */
@Injectable()
export class CompleteReachedGoals implements Reactor<ChallengeEdited> {
  readonly name = 'complete-reached-goals';
  readonly types = typesOf<ChallengeEdited>({ ChallengeEdited: true });
  readonly needs = [challengeEntries];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly access: CommunityAccess,
  ) {}

  async react(event: RecordedOf<ChallengeEdited>): Promise<void> {
    const { challengeId, communityId, at, changes } = event.data;
    if (changes.goalTarget === undefined && changes.goalType === undefined) return;
    await this.reader.requirePosition(challengeEntries, event.position);
    const context = createEventContext(event, this.name);
    const challenge = await this.streams.loadState(challengeDecider, challengeId);
    if (challenge.status !== 'planned') return;

    const { goalType, goalTarget } = challenge.content;
    const where = { 'challenge.id': challengeId, _open: true, _goalType: goalType };
    const highestFirst = { where, limit: PAGE, orderBy: '_reached' } as const;
    for await (const slice of readSlices(this.reader, challengeEntries, highestFirst, context.consistency))
      for (const { user, _reached } of slice) {
        if (_reached < goalTarget) return;
        if (!isPresent(await this.access.findMember(communityId, user.id))) continue;
        const entryId = challengeEntryIdOf(challengeId, user.id);
        const command = { type: 'CompleteReached', challenge, at } as const;
        await this.streams.execute(challengeEntryDecider, entryId, command, context);
      }
  }
}

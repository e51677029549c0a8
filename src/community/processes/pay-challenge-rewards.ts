import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { Awards } from '../commands/awards.steps.js';
import type { ChallengeEntryEvent } from '../domain/challenge-entry.js';

const SOURCE_TYPE = 'challenge';

type ChallengeCompleted = Extract<ChallengeEntryEvent, { type: 'ChallengeCompleted' }>;

/** Pays the reward of a completed challenge, once per challenge and member. */
@Injectable()
export class PayChallengeRewards implements Reactor<ChallengeCompleted> {
  readonly name = 'pay-challenge-rewards';
  readonly types = typesOf<ChallengeCompleted>({ ChallengeCompleted: true });

  constructor(private readonly awards: Awards) {}

  async react(event: RecordedOf<ChallengeCompleted>): Promise<void> {
    const { challengeId: sourceId, communityId, memberId, userId, cpReward: points } = event.data;
    const context = createEventContext(event, this.name);
    const awardId = idOf('pta', context.at, context.commandId);
    const reward = { awardId, communityId, memberId, userId, points, sourceType: SOURCE_TYPE, sourceId };
    await this.awards.payReward(reward, context);
  }
}

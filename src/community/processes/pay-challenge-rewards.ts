import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { createEventContext } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import type { EventOf } from '../../kernel/projection.js';
import { Awards } from '../commands/awards.steps.js';
import type { ChallengeEntryEvent } from '../domain/challenge-entry.js';

const SOURCE_TYPE = 'challenge';

type ChallengeCompleted = EventOf<ChallengeEntryEvent, 'ChallengeCompleted'>;

/** Pays the reward of a completed challenge, once per challenge and member. */
@Injectable()
export class PayChallengeRewards implements Reactor {
  readonly name = 'pay-challenge-rewards';
  readonly types = ['ChallengeCompleted'];

  constructor(private readonly awards: Awards) {}

  async react(event: ChallengeCompleted): Promise<void> {
    const { challengeId: sourceId, communityId, memberId, userId, cpReward: points } = event.data;
    const context = createEventContext(event, this.name);
    const awardId = idOf('pta', context.at, context.commandId);
    const reward = { awardId, communityId, memberId, userId, points, sourceType: SOURCE_TYPE, sourceId };
    await this.awards.payReward(reward, context);
  }
}

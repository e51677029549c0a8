import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import type { EventOf } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { Awards } from '../commands/awards.steps.js';
import type { ChallengeEntryEvent } from '../domain/challenge-entry.js';
import { memberDecider } from '../domain/member.js';

type ChallengeCompleted = EventOf<ChallengeEntryEvent, 'ChallengeCompleted'>;

/** Pays the reward of a completed challenge, once per challenge and member. */
@Injectable()
export class PayChallengeRewards implements Reactor {
  readonly name = 'pay-challenge-rewards';
  readonly types = ['ChallengeCompleted'];

  constructor(
    private readonly streams: Streams,
    private readonly awards: Awards,
  ) {}

  async react(event: ChallengeCompleted): Promise<void> {
    const { challengeId: sourceId, communityId, memberId, userId, cpReward: points } = event.data;
    if (points === 0) return;
    const member = await this.streams.loadState(memberDecider, memberId);
    if (member.status === 'unknown') throw Rejection.notFound();

    const context = createEventContext(event, this.name);
    const awardId = idOf('pta', context.at, context.commandId);
    const award = { awardId, communityId, memberId, userId, email: member.email, points };
    await this.awards.pay({ ...award, sourceType: 'challenge', sourceId }, context).catch(ignorePaid);
  }
}

/** A moderator may have awarded other points for the challenge: its source has paid the member. */
function ignorePaid(error: unknown): void {
  if (!(error instanceof Rejection) || error.code !== 'points_already_awarded') throw error;
}

import { Injectable } from '@nestjs/common';
import { CountedStreams } from '../../engine/read-models/counted-streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { type ChallengeCommand, challengeDecider } from '../domain/challenge.js';
import { type ChallengeDocument, challenges, showChallenge } from '../projections/challenges.js';

@Injectable()
export class Challenges {
  constructor(
    private readonly counted: CountedStreams,
    private readonly clock: Clock,
  ) {}

  async change(id: string, command: ChallengeCommand, context: Context): Promise<ChallengeDocument> {
    const challenge = await this.counted.change(challengeDecider, challenges, id, command, context);
    return showChallenge(challenge, toIso(this.clock.now()));
  }
}

import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { type ChallengeCommand, challengeDecider } from '../domain/challenge.js';
import { type ChallengeDocument, challenges, showChallenge } from '../projections/challenges.js';

/** Changes challenges. The participants are facts of other streams, so their count comes from the read model. */
@Injectable()
export class Challenges {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly clock: Clock,
  ) {}

  async change(id: string, command: ChallengeCommand, context: Context): Promise<ChallengeDocument> {
    const outcome = await this.streams.execute(challengeDecider, id, command, context);
    const changed = await outcome.render(challenges, id);
    const { participant_count } = (await this.reader.get(challenges, id, context.consistency)) ?? changed;
    return showChallenge({ ...changed, participant_count }, toIso(this.clock.now()));
  }
}

import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { render } from '../../kernel/projection.js';
import type { Reversal } from '../domain/points.js';
import { pointsReversalDecider, type PointsReversalEvent } from '../domain/points-reversal.js';
import { type PointsAwardDocument, pointsAwards } from '../projections/points-awards.js';
import { Ledgers } from './ledgers.steps.js';

/** Reverses awards: requests the reversal, then enters it in the ledger. */
@Injectable()
export class Reversals {
  constructor(
    private readonly streams: Streams,
    private readonly ledgers: Ledgers,
  ) {}

  /** Reverses an award once: returns the entry of the first reversal. A crash may have left that entry missing. */
  async reverse(reversal: Reversal, context: Context): Promise<PointsAwardDocument> {
    const command = { type: 'RequestPointsReversal', reversal } as const;
    const outcome = await this.streams.execute(pointsReversalDecider, reversal.awardId, command, context);
    const requested = (await outcome.loadHistory())[0] as RecordedOf<PointsReversalEvent>;
    const entry = await this.ledgers.reverse(requested, context);
    const { reversalId } = requested.data;
    return { ...render(pointsAwards, reversalId, [entry]), duplicate: reversalId !== reversal.reversalId };
  }
}

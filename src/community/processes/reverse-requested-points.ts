import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Ledgers } from '../commands/ledgers.steps.js';
import type { PointsReversalEvent } from '../domain/points-reversal.js';

/** Enters a requested reversal when a crash interrupted ReversePoints. */
@Injectable()
export class ReverseRequestedPoints implements Reactor<PointsReversalEvent> {
  readonly name = 'reverse-requested-points';
  readonly types = typesOf<PointsReversalEvent>({ PointsReversalRequested: true });

  constructor(private readonly ledgers: Ledgers) {}

  async react(event: RecordedOf<PointsReversalEvent>): Promise<void> {
    await this.ledgers.reverse(event, resumeContext(event, this.name));
  }
}

import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Ledgers } from '../commands/ledgers.steps.js';
import type { PointsSourceEvent } from '../domain/points-source.js';

/** Enters the award of a reserved source when a crash interrupted AwardPoints. */
@Injectable()
export class AwardReservedPoints implements Reactor<PointsSourceEvent> {
  readonly name = 'award-reserved-points';
  readonly types = typesOf<PointsSourceEvent>({ PointsReserved: true });

  constructor(private readonly ledgers: Ledgers) {}

  async react(event: RecordedOf<PointsSourceEvent>): Promise<void> {
    await this.ledgers.enter(event.data, resumeContext(event, this.name), event);
  }
}

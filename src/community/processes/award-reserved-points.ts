import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { enterAward } from '../commands/award-points.steps.js';
import type { PointsSourceEvent } from '../domain/points-source.js';

/** Enters the award of a reserved source when a crash interrupted AwardPoints. */
@Injectable()
export class AwardReservedPoints implements Reactor<PointsSourceEvent> {
  readonly name = 'award-reserved-points';
  readonly types = ['PointsReserved'] as const;

  constructor(private readonly streams: Streams) {}

  async react(event: RecordedOf<PointsSourceEvent>): Promise<void> {
    await enterAward(this.streams, event.data, resumeContext(event, this.name), event);
  }
}

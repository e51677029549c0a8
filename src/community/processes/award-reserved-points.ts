import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { enterAward } from '../commands/award-points.steps.js';
import { type PointsSourceEvent, toAward } from '../domain/points-source.js';

/** Enters the award of a reserved source when a crash interrupted AwardPoints. */
@Injectable()
export class AwardReservedPoints implements Reactor {
  readonly name = 'award-reserved-points';
  readonly types = ['PointsReserved'];

  constructor(private readonly streams: Streams) {}

  async react(event: RecordedEvent): Promise<void> {
    await enterAward(
      this.streams,
      toAward(event.data as PointsSourceEvent['data']),
      resumeContext(event, this.name),
      event,
    );
  }
}

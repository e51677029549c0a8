import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumed } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { credit } from '../commands/crediting.js';
import { awardOf, type PointsSourceEvent } from '../domain/points-source.js';

/** Enters the award of a reserved source when a crash interrupted AwardPoints. */
@Injectable()
export class AwardReservedPoints implements Reactor {
  readonly name = 'award-reserved-points';
  readonly types = ['PointsReserved'];

  constructor(private readonly streams: Streams) {}

  async react(event: Recorded): Promise<void> {
    await credit(this.streams, awardOf(event.data as PointsSourceEvent['data']), resumed(event, this.name), event);
  }
}

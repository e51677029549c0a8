import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams.js';
import type { Recorded } from '../../kernel/event.js';
import { credit } from '../commands/crediting.js';
import { awardOf, type PointsSourceEvent } from '../domain/points-source.js';
import { unfinished } from './unfinished.js';

/** What a source has been reserved for is paid, also when a crash came between the two. */
@Injectable()
export class ReservedPoints implements Reactor {
  readonly name = 'reservedPoints';
  readonly types = ['PointsReserved'];

  constructor(private readonly streams: Streams) {}

  async react(event: Recorded): Promise<void> {
    await credit(this.streams, awardOf(event.data as PointsSourceEvent['data']), unfinished(event, this.name));
  }
}

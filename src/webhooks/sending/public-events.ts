import { Injectable } from '@nestjs/common';
import { Recent } from '../../engine/recent.js';
import { Streams } from '../../engine/streams/streams.js';
import { publicEvent } from '../domain/public-event.js';
import type { Telling } from './envelope.js';

const KEPT_CHARACTERS = 16_000_000;

/** Caches recorded public events. An event never changes, so it is read once for all its receivers. */
@Injectable()
export class PublicEvents {
  private readonly recent = new Recent<string, Telling>(KEPT_CHARACTERS, ({ data }) => JSON.stringify(data).length);

  constructor(private readonly streams: Streams) {}

  async get(eventId: string): Promise<Telling> {
    const known = this.recent.get(eventId);
    if (known !== undefined) return known;
    const found = await this.streams.state(publicEvent, eventId);
    if (found.status === 'unknown') throw new Error(`${eventId}: the public event does not exist`);
    const telling = { ...found.event, test: false };
    this.recent.set(eventId, telling);
    return telling;
  }
}

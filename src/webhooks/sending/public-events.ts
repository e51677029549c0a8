import { Injectable } from '@nestjs/common';
import { Recent } from '../../engine/recent.js';
import { Streams } from '../../engine/streams/streams.js';
import { publicEvent } from '../domain/public-event.js';
import type { Telling } from './envelope.js';

const KEPT_CHARACTERS = 16_000_000;

/** Public events as they were recorded. They never change, so they are read once for all their receivers. */
@Injectable()
export class PublicEvents {
  private readonly recent = new Recent<string, Telling>(KEPT_CHARACTERS, ({ data }) => JSON.stringify(data).length);

  constructor(private readonly streams: Streams) {}

  async get(eventId: string): Promise<Telling> {
    const known = this.recent.get(eventId);
    if (known !== undefined) return known;
    const found = await this.streams.state(publicEvent, eventId);
    if (found.status === 'unknown') throw new Error(`${eventId}: there is no such public event`);
    const telling = { ...found.event, test: false };
    this.recent.set(eventId, telling);
    return telling;
  }
}

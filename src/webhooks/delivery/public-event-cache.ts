import { Injectable } from '@nestjs/common';
import { LruCache } from '../../engine/lru-cache.js';
import { Streams } from '../../engine/streams/streams.js';
import { publicEventDecider } from '../domain/public-event.js';
import type { EventPayload } from './envelope.js';

const MAX_CACHED_CHARACTERS = 16_000_000;

/** Caches recorded public events. An event never changes, so it is read once for all its receivers. */
@Injectable()
export class PublicEventCache {
  private readonly cache = new LruCache<string, EventPayload>(
    MAX_CACHED_CHARACTERS,
    ({ data, changes }) => JSON.stringify({ data, changes }).length,
  );

  constructor(private readonly streams: Streams) {}

  async get(eventId: string): Promise<EventPayload> {
    const cached = this.cache.get(eventId);
    if (cached !== undefined) return cached;
    const found = await this.streams.loadState(publicEventDecider, eventId);
    if (found.status === 'unknown') throw new Error(`${eventId}: the public event does not exist`);
    const payload = { ...found.event, test: false };
    this.cache.set(eventId, payload);
    return payload;
  }
}

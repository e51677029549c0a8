import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { business } from './domain/business.js';

/** Which business is whose, as everything acknowledged so far tells it. */
@Injectable()
export class Ownership {
  constructor(private readonly streams: Streams) {}

  async owns(userId: string, businessId: string): Promise<boolean> {
    return (await this.ownerOf(businessId)) === userId;
  }

  /** Null for an unknown business. */
  async ownerOf(businessId: string): Promise<string | null> {
    const state = await this.streams.state(business, businessId);
    return state.status === 'unknown' ? null : state.ownerId;
  }
}

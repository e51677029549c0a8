import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { business } from './domain/business.js';

/** Reads the owner of a business from its stream. */
@Injectable()
export class Ownership {
  constructor(private readonly streams: Streams) {}

  async owns(userId: string, businessId: string): Promise<boolean> {
    return (await this.ownerOf(businessId)) === userId;
  }

  /** Returns null for an unknown business. */
  async ownerOf(businessId: string): Promise<string | null> {
    const state = await this.streams.state(business, businessId);
    return state.status === 'unknown' ? null : state.ownerId;
  }
}

import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { BusinessOwnership } from '../kernel/business-ownership.js';
import { businessDecider } from './domain/business.js';

/** Reads the owner of a business from its stream. */
@Injectable()
export class RecordedOwnership extends BusinessOwnership {
  constructor(private readonly streams: Streams) {
    super();
  }

  async isOwner(userId: string, businessId: string): Promise<boolean> {
    return (await this.findOwner(businessId)) === userId;
  }

  async findOwner(businessId: string): Promise<string | null> {
    const state = await this.streams.loadState(businessDecider, businessId);
    return state.status === 'unknown' ? null : state.ownerId;
  }
}

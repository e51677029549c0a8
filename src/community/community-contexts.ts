import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { Context } from '../kernel/context.js';
import { communityDecider } from './domain/community.js';

/**
 * Contexts for processes that act in a community because of a fact from elsewhere, such as a sign-in or a purchase. What
 * they record belongs to the business of the community, and is published to it.
 */
@Injectable()
export class CommunityContexts {
  constructor(private readonly streams: Streams) {}

  async enter<C extends Context>(communityId: string, context: C): Promise<C> {
    const community = await this.streams.loadState(communityDecider, communityId);
    return { ...context, business: community.status === 'unknown' ? null : community.business };
  }
}

import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { joinCommunity, toFounderMember } from '../commands/join-community.steps.js';
import type { CommunityEvent } from '../domain/community.js';

/** Adds the founder as the first member when a crash interrupted CreateCommunity. */
@Injectable()
export class EnrolFounders implements Reactor<CommunityEvent> {
  readonly name = 'enrol-founders';
  readonly types = ['CommunityCreated'] as const;

  constructor(private readonly streams: Streams) {}

  async react(event: RecordedOf<CommunityEvent>): Promise<void> {
    const { communityId, owner } = event.data;
    await joinCommunity(this.streams, toFounderMember(communityId, owner), resumeContext(event, this.name));
  }
}

import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { joinCommunity, toFounderMember } from '../commands/join-community.steps.js';
import type { CommunityEvent } from '../domain/community.js';

/** Adds the founder as the first member when a crash interrupted CreateCommunity. */
@Injectable()
export class EnrolFounders implements Reactor {
  readonly name = 'enrol-founders';
  readonly types = ['CommunityCreated'];

  constructor(private readonly streams: Streams) {}

  async react(event: RecordedEvent): Promise<void> {
    const { communityId, owner } = event.data as CommunityEvent['data'];
    await joinCommunity(this.streams, toFounderMember(communityId, owner), resumeContext(event, this.name));
  }
}

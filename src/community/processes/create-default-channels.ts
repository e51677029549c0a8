import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { Channels } from '../commands/channels.steps.js';
import type { CommunityEvent } from '../domain/community.js';

type CommunityCreated = Extract<CommunityEvent, { type: 'CommunityCreated' }>;

/** Creates the default channel when a crash interrupted CreateCommunity. */
@Injectable()
export class CreateDefaultChannels implements Reactor<CommunityCreated> {
  readonly name = 'create-default-channels';
  readonly types = ['CommunityCreated'] as const;

  constructor(private readonly channels: Channels) {}

  async react(event: RecordedOf<CommunityCreated>): Promise<void> {
    const { communityId, owner } = event.data;
    await this.channels.createDefault(communityId, owner.userId, resumeContext(event, this.name));
  }
}

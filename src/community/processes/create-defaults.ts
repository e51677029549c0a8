import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Channels } from '../commands/channels.steps.js';
import { Onboarding } from '../commands/onboarding.steps.js';
import type { CommunityEvent } from '../domain/community.js';

type CommunityCreated = Extract<CommunityEvent, { type: 'CommunityCreated' }>;

/** Creates the default channel and the default tasks when a crash interrupted CreateCommunity. */
@Injectable()
export class CreateDefaults implements Reactor<CommunityCreated> {
  readonly name = 'create-defaults';
  readonly types = typesOf<CommunityCreated>({ CommunityCreated: true });

  constructor(
    private readonly channels: Channels,
    private readonly onboarding: Onboarding,
  ) {}

  async react(event: RecordedOf<CommunityCreated>): Promise<void> {
    const { communityId, owner } = event.data;
    const context = resumeContext(event, this.name);
    await this.channels.createDefault(communityId, owner.userId, context);
    await this.onboarding.addDefaultTasks(communityId, context);
  }
}

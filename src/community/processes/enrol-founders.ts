import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Members } from '../commands/members.steps.js';
import type { CommunityEvent } from '../domain/community.js';

type CommunityCreated = Extract<CommunityEvent, { type: 'CommunityCreated' }>;

/** Adds the founder as the first member when a crash interrupted CreateCommunity. */
@Injectable()
export class EnrolFounders implements Reactor<CommunityCreated> {
  readonly name = 'enrol-founders';
  readonly types = typesOf<CommunityCreated>({ CommunityCreated: true });

  constructor(private readonly members: Members) {}

  async react(event: RecordedOf<CommunityCreated>): Promise<void> {
    const { communityId, owner } = event.data;
    await this.members.joinFounder(communityId, owner, resumeContext(event, this.name));
  }
}

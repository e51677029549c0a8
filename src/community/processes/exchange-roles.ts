import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Members } from '../commands/members.steps.js';
import type { CommunityEvent } from '../domain/community.js';

type CommunityTransferred = Extract<CommunityEvent, { type: 'CommunityTransferred' }>;

/** Gives the owners before and after a transfer their roles when a crash interrupted TransferCommunity. */
@Injectable()
export class ExchangeRoles implements Reactor<CommunityTransferred> {
  readonly name = 'exchange-roles';
  readonly types = typesOf<CommunityTransferred>({ CommunityTransferred: true });

  constructor(private readonly members: Members) {}

  async react(event: RecordedOf<CommunityTransferred>): Promise<void> {
    await this.members.exchangeRoles(event.data, resumeContext(event, this.name));
  }
}

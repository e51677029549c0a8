import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Invites } from '../commands/invites.steps.js';
import type { InviteEvent } from '../domain/invite.js';

type InviteAccepted = Extract<InviteEvent, { type: 'InviteAccepted' }>;

/** Makes an invitee a member when a crash interrupted AcceptInvite. */
@Injectable()
export class AdmitInvitees implements Reactor<InviteAccepted> {
  readonly name = 'admit-invitees';
  readonly types = typesOf<InviteAccepted>({ InviteAccepted: true });

  constructor(private readonly invites: Invites) {}

  async react(event: RecordedOf<InviteAccepted>): Promise<void> {
    await this.invites.admit(event.data, resumeContext(event, this.name));
  }
}

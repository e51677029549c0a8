import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Invites } from '../commands/invites.steps.js';
import { memberDecider } from '../domain/member.js';
import type { MemberEvent } from '../domain/member-events.js';
import { isPresent } from '../domain/member-state.js';

type Cause = Extract<
  MemberEvent,
  { type: 'MemberJoined' | 'MemberImported' | 'MemberActivated' | 'MemberRejoined' | 'MemberAddressChanged' }
>;

/** Ends the pending invite of an address whose user has become a member in another way. */
@Injectable()
export class EndInvites implements Reactor<Cause> {
  readonly name = 'end-invites';
  readonly types = typesOf<Cause>({
    MemberJoined: true,
    MemberImported: true,
    MemberActivated: true,
    MemberRejoined: true,
    MemberAddressChanged: true,
  });

  constructor(
    private readonly streams: Streams,
    private readonly invites: Invites,
  ) {}

  /** The removal of a member ends the invite itself, and a later invite of the same address must stay. */
  async react(event: RecordedOf<Cause>): Promise<void> {
    const member = await this.streams.loadState(memberDecider, event.data.memberId);
    if (member.status === 'unknown' || !isPresent(member)) return;
    await this.invites.endFor(member, createEventContext(event, this.name));
  }
}

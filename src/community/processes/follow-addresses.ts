import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import type { UserEvent } from '../../identity/domain/user.js';
import { Users } from '../../identity/users.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Members } from '../commands/members.steps.js';
import { CommunityContexts } from '../community-contexts.js';
import { memberDecider } from '../domain/member.js';
import { MEMBER_STATUSES, type MemberEvent } from '../domain/member-events.js';
import { members } from '../projections/members.js';

/** More memberships of one user are not expected. */
const MAX_MEMBERSHIPS = 1_000;

type AddressChange = Extract<UserEvent, { type: 'UserEmailVerified' | 'UserEmailReleased' }>;
/** The events with which the user of a member begins to be known. */
type Arrival = Extract<MemberEvent, { type: 'MemberJoined' | 'MemberActivated' | 'MemberRejoined' }>;
type Cause = AddressChange | Arrival;

/** Gives the members of a user the current address of the user. */
@Injectable()
export class FollowAddresses implements Reactor<Cause> {
  readonly name = 'follow-addresses';
  readonly types = typesOf<Cause>({
    UserEmailVerified: true,
    UserEmailReleased: true,
    MemberJoined: true,
    MemberActivated: true,
    MemberRejoined: true,
  });
  readonly needs = [members];

  constructor(
    private readonly streams: Streams,
    private readonly users: Users,
    private readonly reader: ReadModelReader,
    private readonly steps: Members,
    private readonly contexts: CommunityContexts,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    if (event.type !== 'UserEmailVerified' && event.type !== 'UserEmailReleased')
      return this.follow(event.data.memberId, event);

    const { consistency } = createEventContext(event, this.name);
    await this.reader.requirePosition(members, event.position);
    const where = { 'user.id': event.data.userId, status: { in: MEMBER_STATUSES } };
    const found = await this.reader.find(members, where, MAX_MEMBERSHIPS, consistency, '_createdAt');
    for (const { id } of found) await this.follow(id, event);
  }

  /** The user may have changed the address while the member was joining. */
  private async follow(memberId: string, event: RecordedOf<Cause>): Promise<void> {
    const member = await this.streams.loadState(memberDecider, memberId);
    if (member.status === 'unknown') return;
    const user = await this.users.find(member.userId);
    if (user === null) return;
    const command = { type: 'ChangeAddress', email: user.email } as const;
    const context = await this.contexts.enter(member.communityId, createEventContext(event, this.name, memberId));
    await this.steps.change(memberId, command, context);
  }
}

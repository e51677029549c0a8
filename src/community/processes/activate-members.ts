import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import type { UserEvent } from '../../identity/domain/user.js';
import { Users } from '../../identity/users.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { PendingMembers } from '../commands/pending-members.steps.js';
import { CommunityContexts } from '../community-contexts.js';
import { memberDecider } from '../domain/member.js';
import type { MemberEvent, MemberStatus } from '../domain/member-events.js';
import { members } from '../projections/members.js';

/** More pending memberships of one address are not expected. */
const MAX_MEMBERSHIPS = 1_000;

/** A member of an address may be banned before its user signs in. */
const WAITING: readonly MemberStatus[] = ['pending', 'banned'];

type EmailVerified = Extract<UserEvent, { type: 'UserEmailVerified' }>;
/** The events that can make a member pending. */
type Arrival = Extract<MemberEvent, { type: 'MemberImported' | 'MemberRejoined' | 'MemberUnbanned' }>;
type Cause = EmailVerified | Arrival;

/** Activates the pending memberships of a user who has signed in with the address of an import. */
@Injectable()
export class ActivateMembers implements Reactor<Cause> {
  readonly name = 'activate-members';
  readonly types = typesOf<Cause>({
    UserEmailVerified: true,
    MemberImported: true,
    MemberRejoined: true,
    MemberUnbanned: true,
  });
  readonly needs = [members];

  constructor(
    private readonly streams: Streams,
    private readonly users: Users,
    private readonly reader: ReadModelReader,
    private readonly pending: PendingMembers,
    private readonly contexts: CommunityContexts,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    if (event.type === 'UserEmailVerified') await this.activateAll(event);
    else if (event.data.status === 'pending') await this.activateIfSignedIn(event);
  }

  private async activateAll(event: RecordedOf<EmailVerified>): Promise<void> {
    const { userId, email } = event.data;
    const context = createEventContext(event, this.name);
    await this.reader.requirePosition(members, event.position);
    const where = { 'user.email.hash': email.hash, status: { in: WAITING } };
    const found = await this.reader.find(members, where, MAX_MEMBERSHIPS, context.consistency, '_createdAt');
    for (const { id, community } of found)
      await this.pending.activate(community.id, id, userId, await this.contexts.enter(community.id, context));
  }

  /** The user may have signed in while the import was running, or while the member was removed or banned. */
  private async activateIfSignedIn(event: RecordedOf<Arrival>): Promise<void> {
    const { communityId, memberId } = event.data;
    const member = await this.streams.loadState(memberDecider, memberId);
    if (member.status !== 'pending' || member.email === null) return;
    const user = await this.users.findByEmailHash(member.email.hash);
    if (user === null) return;
    await this.pending.activate(communityId, memberId, user.id, createEventContext(event, this.name));
  }
}

import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import type { Outcome } from '../../engine/streams/outcome.js';
import { Users } from '../../identity/users.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { createChildContext } from '../../kernel/context.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer, requireMembership } from '../access/community-access.js';
import type { KnownCommunity } from '../domain/community.js';
import { assertCanManage } from '../domain/community-role.js';
import { assertAdmissible, assertJoinable } from '../domain/join-rules.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { assertNotOwner, createLastOwnerRejection, memberIdOf } from '../domain/member.js';
import type { MemberChanges } from '../domain/member-events.js';
import { isPresent, type KnownMember, type Member } from '../domain/member-state.js';
import { Entitlements } from '../entitlements.js';
import { MemberAddresses } from '../member-addresses.js';
import type { MemberDocument } from '../projections/members.js';
import { MemberReader } from '../readers/member-reader.js';
import { Invites } from './invites.steps.js';
import { Members } from './members.steps.js';
import { PendingMembers } from './pending-members.steps.js';

interface CommunityId {
  readonly communityId: string;
}

interface MemberId extends CommunityId {
  readonly userId: string;
}

/** `joined` is false when the caller was a member already. */
interface Joined {
  readonly member: MemberDocument;
  readonly joined: boolean;
}

export class JoinCommunity extends ContextCommand<CommunityId, Joined, CallerContext> {}

@CommandHandler(JoinCommunity)
export class JoinCommunityHandler implements ICommandHandler<JoinCommunity> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly members: Members,
    private readonly pending: PendingMembers,
    private readonly entitlements: Entitlements,
    private readonly invites: Invites,
    private readonly users: Users,
    private readonly addresses: MemberAddresses,
    private readonly reader: MemberReader,
  ) {}

  async execute({ context: request, params: { communityId } }: JoinCommunity): Promise<Joined> {
    const userId = requireUserId(request);
    const viewer = await this.access.view(communityId, request);
    const email = (await this.users.find(userId))?.email ?? null;
    const member = await this.findMember(viewer, email);
    if (member.status !== 'unknown' && isPresent(member)) return this.activate(member, viewer, userId);
    assertJoinable(viewer.community, member, await this.entitlements.find(viewer.community, userId));
    const { state, recorded } = await this.join(viewer, { userId, email });
    await this.invites.endFor(state as KnownMember, viewer.context);
    // Another request of the user may have joined at the same time.
    return { member: await this.reader.load((state as KnownMember).id, viewer), joined: recorded.length > 0 };
  }

  /** A member of the address that is pending or banned is the user's, who has verified the address. */
  private async findMember({ community, member }: CommunityViewer, email: EncryptedField | null): Promise<Member> {
    return member.status !== 'unknown' || email === null ? member : this.addresses.findByHash(community.id, email.hash);
  }

  /** A pending member joins now; an active one has joined already. */
  private async activate(member: KnownMember, viewer: CommunityViewer, userId: string): Promise<Joined> {
    const { community, context } = viewer;
    const joined = member.status === 'pending';
    if (joined) {
      assertAdmissible(community, member);
      await this.pending.activate(community.id, member.id, userId, context);
    }
    return { member: await this.reader.load(member.id, viewer), joined };
  }

  /** An invite that was pending is a reason to stay when the purchase ends. */
  private async join(
    { community, member, context }: CommunityViewer,
    { userId, email }: Pick<KnownMember, 'userId' | 'email'>,
  ): Promise<Outcome<Member>> {
    const isInvited = await this.invites.hasPending(community.id, email, context);
    const purchased = community.settings.tier === 'paid' && !isInvited;
    if (member.status !== 'unknown')
      return this.members.change(member.id, { type: 'RejoinCommunity', purchased }, context);
    const memberId = memberIdOf(community.id, userId);
    const joining = { memberId, communityId: community.id, userId, email, purchased } as const;
    return this.members.join({ ...joining, role: 'member', minimumLevel: LOWEST_LEVEL }, context);
  }
}

export class LeaveCommunity extends ContextCommand<CommunityId, MemberDocument, CallerContext> {}

@CommandHandler(LeaveCommunity)
export class LeaveCommunityHandler implements ICommandHandler<LeaveCommunity> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly members: Members,
    private readonly reader: MemberReader,
  ) {}

  async execute({ context: request, params: { communityId } }: LeaveCommunity): Promise<MemberDocument> {
    const viewer = await this.access.require(communityId, request, 'retract');
    const { id, userId } = requireMembership(viewer);
    if (userId === viewer.community.ownerId) throw createLastOwnerRejection();
    await this.members.change(id, { type: 'LeaveCommunity' }, viewer.context);
    return this.reader.load(id, viewer);
  }
}

/** `isBanned` is null when the body does not change it. */
export class ChangeMember extends ContextCommand<
  MemberId & { changes: MemberChanges; isBanned: boolean | null },
  MemberDocument,
  CallerContext
> {}

@CommandHandler(ChangeMember)
export class ChangeMemberHandler implements ICommandHandler<ChangeMember> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly members: Members,
    private readonly invites: Invites,
    private readonly reader: MemberReader,
  ) {}

  async execute({ context: request, params }: ChangeMember): Promise<MemberDocument> {
    const { communityId, userId, changes, isBanned } = params;
    if (isBanned === true) assertUnchanged(changes);
    const viewer = await this.access.require(communityId, request, 'manage');
    const member = await requireKnown(this.access, communityId, userId);
    assertNotOwnerOf(viewer.community, member);
    // A member who comes back from a ban is a plain one, before the changes.
    if (isBanned !== null) await this.changeStatus(member, isBanned, viewer);
    await this.members.change(member.id, { type: 'ChangeMember', changes }, viewer.context);
    return this.reader.load(member.id, viewer);
  }

  private async changeStatus(member: KnownMember, isBanned: boolean, { context }: CommunityViewer): Promise<void> {
    if (isBanned) await this.invites.endFor(member, context);
    const command = { type: isBanned ? 'BanMember' : 'UnbanMember', userId: requireUserId(context) } as const;
    await this.members.change(member.id, command, createChildContext(context, 'status'));
  }
}

export class RemoveMember extends ContextCommand<MemberId, MemberDocument, CallerContext> {}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly members: Members,
    private readonly invites: Invites,
    private readonly reader: MemberReader,
  ) {}

  async execute({ context: request, params: { communityId, userId } }: RemoveMember): Promise<MemberDocument> {
    const viewer = await this.access.require(communityId, request, 'remove');
    const member = await requireKnown(this.access, communityId, userId);
    assertNotOwnerOf(viewer.community, member);
    assertCanManage(viewer.role, member);
    await this.invites.endFor(member, viewer.context);
    const command = { type: 'RemoveMember', userId: requireUserId(request) } as const;
    await this.members.change(member.id, command, viewer.context);
    return this.reader.load(member.id, viewer);
  }
}

export class SetExpertBadge extends ContextCommand<MemberId & { isExpert: boolean }, MemberDocument, CallerContext> {}

@CommandHandler(SetExpertBadge)
export class SetExpertBadgeHandler implements ICommandHandler<SetExpertBadge> {
  constructor(
    private readonly access: CommunityAccess,
    private readonly members: Members,
    private readonly reader: MemberReader,
  ) {}

  async execute({ context: request, params }: SetExpertBadge): Promise<MemberDocument> {
    const { communityId, userId: targetId, isExpert } = params;
    const viewer = await this.access.require(communityId, request, 'moderate');
    const member = await requireKnown(this.access, communityId, targetId);
    const userId = requireUserId(request);
    if (viewer.role === 'moderator' && targetId === userId)
      throw new Rejection('permission_denied', 'Moderators cannot assign the expert badge to themselves.');

    const command = isExpert
      ? ({ type: 'AssignExpertBadge', userId } as const)
      : ({ type: 'RemoveExpertBadge' } as const);
    await this.members.change(member.id, command, viewer.context);
    return this.reader.load(member.id, viewer);
  }
}

/** @throws Rejection validation_failed, for a role or a level that a ban takes away */
function assertUnchanged({ role, minimumLevel }: MemberChanges): void {
  const [field] = [...(role === undefined ? [] : ['role']), ...(minimumLevel === undefined ? [] : ['level'])];
  if (field !== undefined) throw Rejection.ofField(field, 'not_allowed', 'cannot change together with a ban');
}

/** The owner's own stream may not know of a transfer yet. */
function assertNotOwnerOf({ ownerId }: KnownCommunity, member: KnownMember): void {
  assertNotOwner(member.userId === ownerId ? { role: 'owner' } : member);
}

async function requireKnown(access: CommunityAccess, communityId: string, userId: string): Promise<KnownMember> {
  const member = await access.findMember(communityId, userId);
  if (member.status === 'unknown') throw Rejection.notFound();
  return member;
}

export const memberHandlers = [
  JoinCommunityHandler,
  LeaveCommunityHandler,
  ChangeMemberHandler,
  RemoveMemberHandler,
  SetExpertBadgeHandler,
];

import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { addMs, toIso } from '../../kernel/clock.js';
import { createChildContext, resumeContext } from '../../kernel/context.js';
import { normaliseEmail } from '../../kernel/encrypted-field.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess, type CommunityViewer } from '../access/community-access.js';
import { InviteAccess } from '../access/invite-access.js';
import { assertCanManage, assertNotArchived } from '../domain/community-role.js';
import { type Admission, inviteDecider, type InviteTerms, type KnownInvite, VALIDITY_MS } from '../domain/invite.js';
import { assertAdmissible } from '../domain/join-rules.js';
import { memberIdOf } from '../domain/member.js';
import { isPresent } from '../domain/member-state.js';
import { MemberAddresses } from '../member-addresses.js';
import { type InviteDocument, invites } from '../projections/invites.js';
import { Invites } from './invites.steps.js';

interface InviteId {
  readonly id: string;
}

/** `expiresAt` is null for the usual validity. */
interface Invitation extends Pick<InviteTerms, 'role' | 'level' | 'message'> {
  readonly communityId: string;
  readonly email: string;
  readonly expiresAt: string | null;
}

/** `created` is false when a pending invite got new terms. */
interface IssuedInvite {
  readonly invite: InviteDocument;
  readonly created: boolean;
}

export class IssueInvite extends ContextCommand<Invitation, IssuedInvite, CallerContext> {}

@CommandHandler(IssueInvite)
export class IssueInviteHandler implements ICommandHandler<IssueInvite> {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
    private readonly addresses: MemberAddresses,
    private readonly personal: PersonalFields,
    private readonly invites: Invites,
  ) {}

  async execute({ context: request, params }: IssueInvite): Promise<IssuedInvite> {
    const { communityId, email: address, ...terms } = params;
    const expiresAt = terms.expiresAt ?? addMs(toIso(request.at), VALIDITY_MS);
    if (Date.parse(expiresAt) <= request.at)
      throw Rejection.ofField('expires_at', 'invalid_value', 'expires_at must be in the future.');
    const { context, role } = await this.access.require(communityId, request, 'moderate');
    assertCanManage(role, terms);
    const email = await this.personal.encryptEmail(normaliseEmail(address));
    await this.assertInvitable(communityId, email.hash);

    const inviteId = idOf('invt', context.at, context.commandId);
    const invite = { inviteId, communityId, email, ...terms, expiresAt, invitedBy: requireUserId(request) };
    const id = await this.invites.findOrClaim(invite, context);
    const command = { type: 'IssueInvite', invite: { ...invite, inviteId: id }, role } as const;
    const outcome = await this.streams.execute(inviteDecider, id, command, context);
    const created = outcome.recorded.some(({ type }) => type === 'InviteCreated');
    return { invite: await outcome.render(invites, id), created };
  }

  /** @throws Rejection already_member or banned */
  private async assertInvitable(communityId: string, emailHash: string): Promise<void> {
    const member = await this.addresses.findByHash(communityId, emailHash);
    if (member.status === 'banned')
      throw new Rejection('banned', 'The address belongs to somebody who is banned.', 'email');
    if (isPresent(member))
      throw new Rejection('already_member', 'The address belongs to a member of the community.', 'email');
  }
}

export class ResendInvite extends ContextCommand<InviteId, InviteDocument, CallerContext> {}

@CommandHandler(ResendInvite)
export class ResendInviteHandler implements ICommandHandler<ResendInvite> {
  constructor(
    private readonly invites: Invites,
    private readonly access: InviteAccess,
  ) {}

  async execute({ context: request, params: { id } }: ResendInvite): Promise<InviteDocument> {
    const { viewer } = await this.access.require(id, request, 'moderate');
    return this.invites.change(id, { type: 'ResendInvite', userId: requireUserId(request) }, viewer.context);
  }
}

export class RevokeInvite extends ContextCommand<InviteId, InviteDocument, CallerContext> {}

@CommandHandler(RevokeInvite)
export class RevokeInviteHandler implements ICommandHandler<RevokeInvite> {
  constructor(
    private readonly invites: Invites,
    private readonly access: InviteAccess,
  ) {}

  async execute({ context: request, params: { id } }: RevokeInvite): Promise<InviteDocument> {
    const { viewer } = await this.access.require(id, request, 'moderate');
    return this.invites.change(
      id,
      { type: 'RevokeInvite', userId: requireUserId(request), role: viewer.role },
      viewer.context,
    );
  }
}

export class DeclineInvite extends ContextCommand<InviteId, InviteDocument, CallerContext> {}

@CommandHandler(DeclineInvite)
export class DeclineInviteHandler implements ICommandHandler<DeclineInvite> {
  constructor(
    private readonly invites: Invites,
    private readonly access: InviteAccess,
  ) {}

  async execute({ context: request, params: { id } }: DeclineInvite): Promise<InviteDocument> {
    const { invite, viewer } = await this.access.requireDecliner(id, request);
    if (invite.status !== 'declined') assertNotArchived(viewer.community);
    return this.invites.change(id, { type: 'DeclineInvite', userId: requireUserId(request) }, viewer.context);
  }
}

export class AcceptInvite extends ContextCommand<InviteId, InviteDocument, CallerContext> {}

@CommandHandler(AcceptInvite)
export class AcceptInviteHandler implements ICommandHandler<AcceptInvite> {
  constructor(
    private readonly streams: Streams,
    private readonly access: InviteAccess,
    private readonly invites: Invites,
  ) {}

  async execute({ context: request, params: { id } }: AcceptInvite): Promise<InviteDocument> {
    const { invite, viewer } = await this.access.requireInvitee(id, request);
    if (invite.status !== 'accepted') assertAdmissible(viewer.community, viewer.member);
    // The process that ends the invites of members may not have run yet.
    if (isPresent(viewer.member)) await this.invites.end(id, createChildContext(viewer.context, 'end-invite'));
    const command = { type: 'AcceptInvite', admission: toAdmission(invite, viewer) } as const;
    const outcome = await this.streams.execute(inviteDecider, id, command, viewer.context);
    const accepted = await requireEvent(this.streams, inviteDecider, id, 'InviteAccepted');
    const { consistency } = request;
    await this.invites.admit(accepted.data, { ...resumeContext(accepted, 'accept-invite'), consistency });
    return outcome.render(invites, id);
  }
}

function toAdmission(
  { communityId, email, role, level: minimumLevel }: KnownInvite,
  { member: known, context }: CommunityViewer,
): Admission {
  const userId = requireUserId(context);
  const memberId = known.status === 'unknown' ? memberIdOf(communityId, userId) : known.id;
  const member = { memberId, communityId, userId, email, role, minimumLevel };
  return { member, wasMember: isPresent(known) };
}

export const inviteHandlers = [
  IssueInviteHandler,
  ResendInviteHandler,
  RevokeInviteHandler,
  DeclineInviteHandler,
  AcceptInviteHandler,
];

import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { Users } from '../../identity/users.js';
import type { Caller, CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { assertPermitted, canModerate, type CommunityAction } from '../domain/community-role.js';
import { inviteDecider, type KnownInvite } from '../domain/invite.js';
import { CommunityAccess, type CommunityViewer } from './community-access.js';

export interface ViewedInvite {
  readonly invite: KnownInvite;
  readonly viewer: CommunityViewer;
}

/** Decides who may use an invite. The invitee is the user whose verified address the invite has. */
@Injectable()
export class InviteAccess {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
    private readonly users: Users,
  ) {}

  /** For owners and moderators. @throws Rejection not_found, not_a_member, permission_denied … */
  async require(id: string, context: CallerContext, action: CommunityAction): Promise<ViewedInvite> {
    const viewed = await this.requireReadable(id, context);
    assertPermitted(action, viewed.viewer.role, viewed.viewer.community);
    return viewed;
  }

  /** For readers: the invitee, owners and moderators. An invite is invisible to other members. @throws Rejection not_found */
  async requireReadable(id: string, context: CallerContext): Promise<ViewedInvite> {
    const { viewed, isInvitee } = await this.view(id, context);
    if (!isInvitee && !canModerate(viewed.viewer.role)) throw Rejection.notFound();
    return viewed;
  }

  /** For the acceptance: the invitee's own session. @throws Rejection not_found, permission_denied */
  async requireInvitee(id: string, context: CallerContext): Promise<ViewedInvite> {
    const { viewed, isInvitee } = await this.view(id, context);
    if (!isInvitee && !isKeyOf(viewed.viewer, context.caller)) throw Rejection.notFound();
    if (!isInvitee || context.caller.kind !== 'session')
      throw new Rejection('permission_denied', 'Only the invited user can accept, with the own session.');
    return viewed;
  }

  /** For the refusal: the invitee, or a key of the community's business. @throws Rejection not_found */
  async requireDecliner(id: string, context: CallerContext): Promise<ViewedInvite> {
    const { viewed, isInvitee } = await this.view(id, context);
    if (!isInvitee && !isKeyOf(viewed.viewer, context.caller)) throw Rejection.notFound();
    return viewed;
  }

  private async view(id: string, context: CallerContext) {
    const invite = await this.load(id);
    const viewer = await this.access.view(invite.communityId, context);
    return { viewed: { invite, viewer }, isInvitee: await this.isInvitee(invite, context) };
  }

  private async load(id: string): Promise<KnownInvite> {
    const invite = await this.streams.loadState(inviteDecider, id);
    if (invite.status === 'unknown') throw Rejection.notFound();
    return invite;
  }

  private async isInvitee({ email }: KnownInvite, { caller: { user } }: CallerContext): Promise<boolean> {
    const known = user === null ? null : await this.users.find(user.id);
    return known?.email?.hash === email.hash;
  }
}

function isKeyOf({ community }: CommunityViewer, { kind, business }: Caller): boolean {
  return kind === 'secret_key' && business !== null && business === community.business;
}

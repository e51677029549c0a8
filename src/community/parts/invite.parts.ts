import type { NounParts } from '../../engine/area-parts.js';
import { inviteHandlers } from '../commands/invite.commands.js';
import { Invites } from '../commands/invites.steps.js';
import { InvitesController } from '../http/invites.controller.js';
import { InviteAccess } from '../invite-access.js';
import { AdmitInvitees } from '../processes/admit-invitees.js';
import { MailInvites } from '../processes/mail-invites.js';
import { invites } from '../projections/invites.js';
import { inviteQueryHandlers } from '../queries/invite.queries.js';

export const inviteParts: NounParts = {
  controllers: [InvitesController],
  providers: [InviteAccess, Invites, ...inviteHandlers, ...inviteQueryHandlers],
  projections: [invites],
  reactors: [AdmitInvitees, MailInvites],
  jobs: [MailInvites],
};

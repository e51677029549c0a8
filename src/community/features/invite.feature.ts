import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type PublicationSources, publish } from '../../kernel/public-event-definition.js';
import { InviteAccess } from '../access/invite-access.js';
import { inviteHandlers } from '../commands/invite.commands.js';
import { Invites } from '../commands/invites.steps.js';
import { inviteAddressClaims, inviteDecider } from '../domain/invite.js';
import { inviteQuotaDecider } from '../domain/invite-quota.js';
import { InvitesController } from '../http/invites.controller.js';
import { AdmitInvitees } from '../processes/admit-invitees.js';
import { EndInvites } from '../processes/end-invites.js';
import { MailInvites } from '../processes/mail-invites.js';
import { type InviteDocument, invites, inviteSchema, showInvite } from '../projections/invites.js';
import { inviteQueryHandlers } from '../queries/invite.queries.js';

const invite = createAuditedResource('invite', invites);

const showAtEvent = async (found: InviteDocument, _: PublicationSources, { meta }: RecordedEvent) =>
  showInvite(found, meta.at);

export const inviteFeature: Feature = {
  streams: [
    auditStream(inviteDecider, invite),
    auditStream(inviteAddressClaims, nameByKey(invite, 'ownerId')),
    auditStream(inviteQuotaDecider, nameByKey(invite, 'inviteId')),
  ],
  projections: [invites],
  publicEvents: [
    publish({
      fact: 'InviteDeclined',
      type: 'community.invite.declined',
      summary: 'An invite was declined',
      description: 'An invited user declined to join.',
      projection: invites,
      schema: inviteSchema,
      complete: showAtEvent,
      change: true,
    }),
    publish({
      fact: 'InviteAccepted',
      type: 'community.invite.accepted',
      summary: 'An invite was accepted',
      description: 'An invited user joined the community.',
      projection: invites,
      schema: inviteSchema,
      complete: showAtEvent,
      change: true,
    }),
    publish({
      fact: 'InviteCreated',
      type: 'community.invite.created',
      summary: 'A person was invited',
      description: 'A community invited a person.',
      projection: invites,
      schema: inviteSchema,
    }),
    publish({
      fact: 'InviteRenewed',
      type: 'community.invite.renewed',
      summary: 'An invite was renewed',
      description: 'A person was invited again, with new terms.',
      projection: invites,
      schema: inviteSchema,
      complete: showAtEvent,
      change: true,
    }),
    publish({
      fact: 'InviteExpired',
      type: 'community.invite.expired',
      summary: 'An invite expired',
      description: 'An invite was not answered in time.',
      projection: invites,
      schema: inviteSchema,
      change: true,
    }),
    publish({
      fact: 'InviteRevoked',
      type: 'community.invite.revoked',
      summary: 'An invite was revoked',
      description: 'A moderator withdrew an invite, or the person joined, was removed or was banned.',
      projection: invites,
      schema: inviteSchema,
      complete: showAtEvent,
      change: true,
    }),
  ],
  controllers: [InvitesController],
  providers: [InviteAccess, Invites, ...inviteHandlers, ...inviteQueryHandlers],
  reactors: [AdmitInvitees, EndInvites, MailInvites],
  jobs: [MailInvites],
};

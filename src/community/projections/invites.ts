import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  nullable,
  personalString,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { INVITED_ROLES, type InviteEvent, type InviteTerms } from '../domain/invite.js';

export const inviteSchema = resource('Invite', {
  id: id('invt'),
  object: enumOf('invite'),
  community: ref('community', 'com'),
  email: personalString,
  role: enumOf(...INVITED_ROLES),
  level: integer,
  message: nullable(string),
  status: enumOf('pending', 'accepted', 'declined', 'revoked', 'expired'),
  invited_by: ref('user', 'usr'),
  expires_at: dateTime,
  created_at: dateTime,
  responded_at: nullable(dateTime),
});

export type InviteDocument = DocumentOf<typeof inviteSchema>;

/** A stored invite is never expired: `showInvite` reads that from the clock. */
export const invites: Projection<InviteDocument, InviteEvent> = {
  name: 'invites',
  version: 2,
  id: pickId('inviteId'),
  indexes: [
    ['community.id', 'created_at'],
    ['email.hash', 'created_at'],
  ],
  totals: [['community.id'], ['email.hash']],
  on: {
    InviteCreated: (_, { data }) => ({
      id: data.inviteId,
      object: 'invite',
      community: toReference('community', data.communityId),
      email: data.email,
      ...toTermFields(data),
      status: 'pending',
      created_at: data.at,
      responded_at: null,
    }),
    InviteRenewed: (invite, { data }) => invite && { ...invite, ...toTermFields(data) },
    InviteResent: (invite) => invite,
    InviteAccepted: (invite, { data }) => invite && { ...invite, status: 'accepted', responded_at: data.at },
    InviteDeclined: (invite, { data }) => invite && { ...invite, status: 'declined', responded_at: data.at },
    InviteRevoked: (invite) => invite && { ...invite, status: 'revoked' },
  },
};

function toTermFields({ role, level, message, expiresAt, invitedBy }: InviteTerms) {
  return { role, level, message, expires_at: expiresAt, invited_by: toReference('user', invitedBy) };
}

export function showInvite(invite: InviteDocument, now: string): InviteDocument {
  return invite.status === 'pending' && now >= invite.expires_at ? { ...invite, status: 'expired' } : invite;
}

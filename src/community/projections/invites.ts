import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  nullable,
  personalString,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { INVITED_ROLES, type InviteEvent, type InviteTerms } from '../domain/invite.js';
import { communityFields, creationTime } from './fields.js';

export const inviteSchema = resource('Invite', {
  ...communityFields('invite', 'invt'),
  email: describe(personalString, 'The e-mail address of the invited person; null once the person is forgotten.'),
  role: describe(enumOf(...INVITED_ROLES), 'The role that a new member gets.'),
  level: describe(integer, 'The lowest level of the new member, regardless of the points.'),
  message: describe(nullable(string), 'The text of the sender in the mail; null for none.', 'Join us!'),
  status: describe(
    enumOf('pending', 'accepted', 'declined', 'revoked', 'expired'),
    'Whether the invite awaits an answer (`pending`), was `accepted` or `declined`, ended because a moderator withdrew it or the person joined, was removed or was banned (`revoked`), or is too old (`expired`).',
  ),
  invited_by: describe(ref('user', 'usr'), 'The user who sent the current terms.'),
  expires_at: describe(dateTime, 'The time from which the invite can no longer be answered.'),
  created_at: creationTime,
  responded_at: describe(
    nullable(dateTime),
    'The time at which the invited person accepted or declined, or null before that.',
  ),
});

export type InviteDocument = DocumentOf<typeof inviteSchema>;

/** A stored invite is expired some time after its expiry: `showInvite` reads that from the clock. */
export const invites: Projection<InviteDocument, InviteEvent> = {
  name: 'invites',
  version: 3,
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
    InviteExpired: (invite) => invite && { ...invite, status: 'expired' },
    InviteRevoked: (invite) => invite && { ...invite, status: 'revoked' },
  },
};

function toTermFields({ role, level, message, expiresAt, invitedBy }: InviteTerms) {
  return { role, level, message, expires_at: expiresAt, invited_by: toReference('user', invitedBy) };
}

export function showInvite(invite: InviteDocument, now: string): InviteDocument {
  return invite.status === 'pending' && now >= invite.expires_at ? { ...invite, status: 'expired' } : invite;
}

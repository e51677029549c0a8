import { createClaims } from '../../kernel/claim.js';
import { addMs, DAY_MS, pickLaterTime } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { assertCanManage, type CommunityRole } from './community-role.js';
import type { NewMember } from './member-events.js';

/** The validity of an invite whose sender sets no expiry. */
export const VALIDITY_MS = 14 * DAY_MS;
const RESEND_INTERVAL_MS = 60_000;
const MAX_RESENDS = 10;

export const INVITED_ROLES = ['moderator', 'member'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** The terms that a later invite of the same address replaces. The member never falls below `level`. */
export interface InviteTerms {
  readonly role: InvitedRole;
  readonly level: number;
  readonly message: string | null;
  readonly expiresAt: string;
  readonly invitedBy: string;
}

export interface NewInvite extends InviteTerms {
  readonly inviteId: string;
  readonly communityId: string;
  readonly email: EncryptedField;
}

/** `wasMember`: the invitee had become a member before, and keeps that member's role and level. */
export interface Admission {
  readonly member: NewMember;
  readonly wasMember: boolean;
}

interface InviteChange {
  readonly inviteId: string;
  readonly communityId: string;
  readonly at: string;
}

/** A sending is one mail: the creation is 1, then 2, 3 …; null: the renewal sends no mail. */
export type InviteEvent =
  | Fact<'InviteCreated', NewInvite & { at: string }>
  | Fact<'InviteRenewed', InviteChange & InviteTerms & { sending: number | null }>
  | Fact<'InviteResent', InviteChange & { sending: number; resentBy: string }>
  | Fact<'InviteAccepted', InviteChange & Admission>
  | Fact<'InviteDeclined', InviteChange & { declinedBy: string }>
  | Fact<'InviteExpired', InviteChange>
  /** `revokedBy` is null when the invitee became a member in another way, or was removed or banned. */
  | Fact<'InviteRevoked', InviteChange & { revokedBy: string | null }>;

export interface KnownInvite extends NewInvite {
  /** An invite expires at its time: until a process has recorded that, it is pending. */
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  readonly sendings: number;
  readonly lastSentAt: string;
}

export type Invite = { readonly status: 'unknown' } | KnownInvite;

function evolve(invite: Invite, event: InviteEvent): Invite {
  if (event.type === 'InviteCreated') {
    const { at, ...newInvite } = event.data;
    return { ...newInvite, status: 'pending', sendings: 1, lastSentAt: at };
  }
  if (invite.status === 'unknown') return invite;

  switch (event.type) {
    case 'InviteRenewed': {
      const { role, level, message, expiresAt, invitedBy, sending, at } = event.data;
      const renewed = { ...invite, role, level, message, expiresAt, invitedBy };
      return sending === null ? renewed : { ...renewed, sendings: sending, lastSentAt: at };
    }
    case 'InviteResent':
      return { ...invite, sendings: event.data.sending, lastSentAt: event.data.at };
    case 'InviteAccepted':
      return { ...invite, status: 'accepted' };
    case 'InviteDeclined':
      return { ...invite, status: 'declined' };
    case 'InviteExpired':
      return { ...invite, status: 'expired' };
    case 'InviteRevoked':
      return { ...invite, status: 'revoked' };
  }
}

/** `role` is the role of the user who acts. */
export type InviteCommand =
  | { readonly type: 'IssueInvite'; readonly invite: NewInvite; readonly role: CommunityRole }
  | { readonly type: 'ResendInvite' | 'DeclineInvite'; readonly userId: string }
  | { readonly type: 'RevokeInvite'; readonly userId: string; readonly role: CommunityRole }
  | { readonly type: 'EndInvite' }
  | { readonly type: 'ExpireInvite'; readonly dueAt: string }
  | { readonly type: 'AcceptInvite'; readonly admission: Admission };

function decide(command: InviteCommand, invite: Invite, { now: at }: DecisionContext): readonly InviteEvent[] {
  if (command.type === 'IssueInvite') return issue(command, invite, at);
  if (invite.status === 'unknown') throw Rejection.notFound();

  const change = { inviteId: invite.inviteId, communityId: invite.communityId, at };
  switch (command.type) {
    case 'ResendInvite':
      assertPending(invite, at);
      if (!canSend(invite, at)) throw createResendRejection(invite, at);
      return [{ type: 'InviteResent', data: { ...change, sending: invite.sendings + 1, resentBy: command.userId } }];
    case 'AcceptInvite':
      if (invite.status === 'accepted') return [];
      assertPending(invite, at);
      return [{ type: 'InviteAccepted', data: { ...change, ...command.admission } }];
    case 'DeclineInvite':
      if (invite.status === 'declined') return [];
      assertPending(invite, at);
      return [{ type: 'InviteDeclined', data: { ...change, declinedBy: command.userId } }];
    case 'EndInvite':
      return isPending(invite, at) ? [{ type: 'InviteRevoked', data: { ...change, revokedBy: null } }] : [];
    case 'ExpireInvite':
      return expire(invite, pickLaterTime(at, command.dueAt));
    case 'RevokeInvite':
      assertCanManage(command.role, invite);
      if (invite.status === 'revoked') return [];
      assertNotAnswered(invite);
      return [{ type: 'InviteRevoked', data: { ...change, revokedBy: command.userId } }];
  }
}

function expire(invite: KnownInvite, at: string): readonly InviteEvent[] {
  if (invite.status !== 'pending' || isPending(invite, at)) return [];
  const { inviteId, communityId } = invite;
  return [{ type: 'InviteExpired', data: { inviteId, communityId, at } }];
}

/** Creates the invite, or gives a pending one new terms. A renewal sends a mail only where a resend would. */
function issue(
  { invite: issued, role }: Extract<InviteCommand, { type: 'IssueInvite' }>,
  invite: Invite,
  at: string,
): readonly InviteEvent[] {
  assertCanManage(role, issued);
  if (invite.status === 'unknown') return [{ type: 'InviteCreated', data: { ...issued, at } }];
  if (!isPending(invite, at))
    throw new Rejection('concurrent_update', 'The invite of the address ended at the same time. Try again.');
  assertCanManage(role, invite);
  const { inviteId, communityId } = invite;
  const { role: invitedRole, level, message, expiresAt, invitedBy } = issued;
  const terms = { role: invitedRole, level, message, expiresAt, invitedBy };
  const sending = canSend(invite, at) ? invite.sendings + 1 : null;
  return [{ type: 'InviteRenewed', data: { inviteId, communityId, ...terms, sending, at } }];
}

export function isPending({ status, expiresAt }: Pick<KnownInvite, 'status' | 'expiresAt'>, now: string): boolean {
  return status === 'pending' && now < expiresAt;
}

function canSend({ sendings, lastSentAt }: KnownInvite, now: string): boolean {
  return sendings <= MAX_RESENDS && now >= addMs(lastSentAt, RESEND_INTERVAL_MS);
}

/** After the last resend the answer changes when the invite expires. */
function createResendRejection({ sendings, lastSentAt, expiresAt }: KnownInvite, now: string): Rejection {
  const seconds = RESEND_INTERVAL_MS / 1000;
  const until = sendings > MAX_RESENDS ? expiresAt : addMs(lastSentAt, RESEND_INTERVAL_MS);
  return Rejection.rateLimited(
    `An invite can be sent again after ${seconds} seconds, and at most ${MAX_RESENDS} times.`,
    { now, until },
  );
}

/** @throws Rejection invite_already_accepted, invite_declined, invite_revoked or invite_expired */
function assertPending(invite: KnownInvite, now: string): void {
  assertNotAnswered(invite);
  if (invite.status === 'revoked') throw new Rejection('invite_revoked', 'The invite was revoked.');
  if (!isPending(invite, now)) throw new Rejection('invite_expired', 'The invite has expired.');
}

function assertNotAnswered({ status }: KnownInvite): void {
  if (status === 'accepted') throw new Rejection('invite_already_accepted', 'The invite was accepted.');
  if (status === 'declined') throw new Rejection('invite_declined', 'The invite was declined.');
}

export const inviteDecider: Decider<Invite, InviteCommand, InviteEvent> = {
  category: 'invite',
  versions: {
    InviteCreated: 1,
    InviteRenewed: 1,
    InviteResent: 1,
    InviteAccepted: 1,
    InviteDeclined: 1,
    InviteExpired: 1,
    InviteRevoked: 1,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

/** Address in a community → its latest invite, so that an address has at most one pending invite. */
export const inviteAddressClaims = createClaims('inviteAddress', 'InviteAddressClaimed');

export function inviteAddressIdOf(communityId: string, emailHash: string): string {
  return idOf('address', 0, communityId, emailHash);
}

import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

const INVITES_PER_DAY = 100;

interface CountedInvite {
  readonly inviterId: string;
  /** The day in UTC: `2026-02-01`. */
  readonly day: string;
  readonly inviteId: string;
}

export type InviteQuotaEvent = Fact<'InviteCounted', CountedInvite & { at: string }>;

/** The new invites of one user on one day. A stream holds them, so that the limit applies to all processes together. */
export type InviteQuota = readonly string[];

export type InviteQuotaCommand = CountedInvite & { readonly type: 'CountInvite' };

function decide(
  { type: _, ...counted }: InviteQuotaCommand,
  inviteIds: InviteQuota,
  { now: at }: DecisionContext,
): readonly InviteQuotaEvent[] {
  if (inviteIds.includes(counted.inviteId)) return [];
  if (inviteIds.length >= INVITES_PER_DAY)
    throw Rejection.rateLimited(`A user can send ${INVITES_PER_DAY} new invites per day (UTC).`, {
      now: at,
      until: addMs(`${counted.day}T00:00:00.000Z`, DAY_MS),
    });
  return [{ type: 'InviteCounted', data: { ...counted, at } }];
}

export const inviteQuotaDecider: Decider<InviteQuota, InviteQuotaCommand, InviteQuotaEvent> = {
  category: 'inviteQuota',
  versions: { InviteCounted: 1 },
  initial: [],
  evolve: (inviteIds, { data: { inviteId } }) => [...inviteIds, inviteId],
  decide,
};

export function inviteQuotaIdOf(inviterId: string, day: string): string {
  return `${inviterId}.${day}`;
}

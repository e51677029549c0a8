import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';

export const ROLES = ['owner', 'moderator', 'member'] as const;
export type Role = (typeof ROLES)[number];
/** A pending member has not signed in yet with the address that an import gave. */
export const MEMBER_STATUSES = ['active', 'pending', 'removed', 'banned'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

export interface NewMember {
  readonly memberId: string;
  readonly communityId: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  readonly role: Role;
  /** The member never has a lower level, regardless of the points. */
  readonly minimumLevel: number;
  /**
   * The purchase is the only reason of the membership, which ends with it. Older events do not have the field.
   */
  readonly purchased?: boolean;
}

export interface ImportedMember extends NewMember {
  readonly importId: string;
  readonly status: 'active' | 'pending';
}

/** A change of a member's role, minimum level or reason. Unchanged values are missing. */
export interface MemberChanges {
  readonly role?: Role;
  readonly minimumLevel?: number;
  /** False: an import has given the member another reason than the purchase. */
  readonly purchased?: boolean;
}

/** The role of a party of the community's n-th transfer. */
export interface Ownership {
  readonly role: 'owner' | 'moderator';
  readonly transfer: number;
}

/** The data that every event of a member after the first one contains. */
export interface MemberReference {
  readonly memberId: string;
  readonly communityId: string;
  readonly userId: string;
  readonly at: string;
}

/** `by` is null for the end of a purchase. `wasActive`: the event ends an active membership. */
export type Departure = MemberReference & { readonly by: string | null; readonly wasActive: boolean };

/**
 * `mergedInto`: the pending member was removed because its user has joined as this other member. Other removals, and
 * older events, do not have it. A member who returns without a first sign-in is `pending`; `MemberRejoined` has no status
 * for other members.
 */
export type MemberEvent =
  | Fact<'MemberJoined', NewMember>
  | Fact<'MemberImported', ImportedMember & { at: string }>
  | Fact<'MemberActivated', MemberReference>
  | Fact<'MemberRejoined', MemberReference & { purchased: boolean; status?: 'pending' }>
  | Fact<'MemberChanged', MemberReference & { changes: MemberChanges }>
  | Fact<'MemberAddressChanged', MemberReference & { email: EncryptedField | null }>
  /** The address that the member has at that time is erased. */
  | Fact<'MemberErased', MemberReference>
  | Fact<'MemberLeft', MemberReference>
  | Fact<'MemberRemoved', Departure & { mergedInto?: string }>
  | Fact<'MemberBanned', Departure>
  | Fact<'MemberUnbanned', MemberReference & { by: string; status: 'active' | 'pending' }>
  | Fact<'OwnershipChanged', MemberReference & Ownership & { wasActive: boolean }>
  | Fact<'ExpertBadgeAssigned', MemberReference & { by: string }>
  | Fact<'ExpertBadgeRemoved', MemberReference>;

import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

/* Stored names are for ever. */
export type ClaimEvent<T extends string> = Fact<T, { readonly ownerId: string }>;

export interface Claimed {
  readonly ownerId: string | null;
}

export interface Claim {
  readonly type: 'Claim';
  readonly ownerId: string;
}

/** A name that one owner alone can have: the first claim stays, and whoever comes later sees whose it is. */
function claimOf<T extends string>(category: string, type: T): Decider<Claimed, Claim, ClaimEvent<T>> {
  return {
    category,
    initial: { ownerId: null },
    evolve: (_, { data }) => ({ ownerId: data.ownerId }),
    decide: ({ ownerId }, state) => (state.ownerId === null ? [{ type, data: { ownerId } }] : []),
  };
}

/** Keyed hash of an address → user. */
export const userEmail = claimOf('userEmail', 'UserEmailClaimed');
/** Keyed hash of a session's subject → user. */
export const userSubject = claimOf('userSubject', 'UserSubjectClaimed');
/** Keyed hash of a key's plaintext → key. */
export const keySecret = claimOf('keySecret', 'KeySecretClaimed');
/** The first start on an empty store → the command that makes its business. */
export const firstStart = claimOf('firstStart', 'FirstStartClaimed');
/** The same → the business whose key was told. */
export const firstKeyTold = claimOf('firstKeyTold', 'FirstKeyTold');

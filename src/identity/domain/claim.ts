import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

/* Stored names never change. */
type ClaimEvent<T extends string> = Fact<T, { readonly ownerId: string }>;

interface ClaimState {
  readonly ownerId: string | null;
}

interface Claim {
  readonly type: 'Claim';
  readonly ownerId: string;
}

/** Decides claims on names that only one owner can have. The first claim wins; a later claim returns its owner. */
export type Claims<T extends string> = Decider<ClaimState, Claim, ClaimEvent<T>>;

function createClaims<T extends string>(category: string, type: T): Claims<T> {
  return {
    category,
    versions: { [type]: 1 } as Readonly<Record<T, number>>,
    initial: { ownerId: null },
    evolve: (_, { data }) => ({ ownerId: data.ownerId }),
    decide: ({ ownerId }, state) => (state.ownerId === null ? [{ type, data: { ownerId } }] : []),
  };
}

/** Keyed hash of an address → user. */
export const userEmailClaims = createClaims('userEmail', 'UserEmailClaimed');
/** Keyed hash of a session's subject → user. */
export const userSubjectClaims = createClaims('userSubject', 'UserSubjectClaimed');
/** Keyed hash of a key's plaintext → key. */
export const keySecretClaims = createClaims('keySecret', 'KeySecretClaimed');
/** The first start on an empty store → the command that creates its business. */
export const firstStartClaims = createClaims('firstStart', 'FirstStartClaimed');
/** The first start on an empty store → the business whose keys were shown. */
export const firstKeyClaims = createClaims('firstKeyShown', 'FirstKeyShown');

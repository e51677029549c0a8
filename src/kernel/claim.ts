import type { Decider } from './decider.js';
import type { Fact } from './event.js';

/* Stored names never change. */
type ClaimEvent<T extends string> = Fact<T, { readonly ownerId: string }>;

interface ClaimState {
  readonly ownerId: string | null;
}

/** `replaces` is an owner that no longer needs the name, so that another owner can have it. */
interface Claim {
  readonly type: 'Claim';
  readonly ownerId: string;
  readonly replaces?: string;
}

/** Decides claims on names that only one owner can have. The first claim wins; a later claim returns its owner. */
export type Claims<T extends string> = Decider<ClaimState, Claim, ClaimEvent<T>>;

export function createClaims<T extends string>(category: string, type: T): Claims<T> {
  return {
    category,
    versions: { [type]: 1 } as Readonly<Record<T, number>>,
    initial: { ownerId: null },
    evolve: (_, { data }) => ({ ownerId: data.ownerId }),
    decide: ({ ownerId, replaces = null }, state) => (state.ownerId === replaces ? [{ type, data: { ownerId } }] : []),
  };
}

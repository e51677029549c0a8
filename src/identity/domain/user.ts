import type { Decider } from '../../kernel/decider.js';
import { type EncryptedField, isSameAddress } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';

/** The address that a session token names for its subject. The subject and the address are keyed hashes. */
export interface AddressClaim {
  readonly subject: string;
  readonly emailHash: string;
  /** The `iat` of the token, in seconds. */
  readonly issuedAt: number;
}

/**
 * `claim` is what the token said that changed the address. It is missing for a link of two users, and in older events:
 * any token may change such an address.
 */
interface Claimed {
  readonly claim?: AddressClaim;
}

/*
 * Stored names never change: a change is a new type. `subject` is a keyed hash. A user without an address has signed in
 * with one that another user has. The subjects of a linked user sign in as this user. A forgotten user may sign in: each
 * address that it verifies then is forgotten too.
 */
export type UserEvent =
  | Fact<'UserRegistered', { readonly userId: string; readonly subject: string }>
  | Fact<'UserEmailVerified', Claimed & { readonly userId: string; readonly email: EncryptedField }>
  | Fact<'UserEmailReleased', Claimed & { readonly userId: string }>
  | Fact<'UserLinked', { readonly userId: string; readonly linkedUserId: string }>
  | Fact<'UserForgotten', { readonly userId: string }>;

export interface RegisteredUser {
  readonly status: 'registered';
  readonly id: string;
  readonly subject: string;
  readonly email: EncryptedField | null;
  /** The users that are linked to this one, if any. */
  readonly linked?: readonly string[];
  /** The latest claim of each subject to each address, the latest one last. */
  readonly claims?: readonly AddressClaim[];
  readonly isForgotten?: true;
}

export type User = { readonly status: 'unknown' } | RegisteredUser;

function evolve(state: User, event: UserEvent): User {
  switch (event.type) {
    case 'UserRegistered':
      return { status: 'registered', id: event.data.userId, subject: event.data.subject, email: null };
    case 'UserEmailVerified':
      return state.status === 'registered'
        ? { ...state, email: event.data.email, ...addClaim(state, event.data) }
        : state;
    case 'UserEmailReleased':
      return state.status === 'registered' ? { ...state, email: null, ...addClaim(state, event.data) } : state;
    case 'UserLinked':
      return state.status === 'registered'
        ? { ...state, linked: [...(state.linked ?? []), event.data.linkedUserId] }
        : state;
    case 'UserForgotten':
      return state.status === 'registered' ? { ...state, isForgotten: true } : state;
  }
}

function addClaim({ claims = [] }: RegisteredUser, { claim }: Claimed): Pick<RegisteredUser, 'claims'> {
  if (claim === undefined) return {};
  const others = claims.filter(({ subject, emailHash }) => subject !== claim.subject || emailHash !== claim.emailHash);
  return { claims: [...others, claim] };
}

/**
 * Whether the claim of a token counts beside the claims that changed the address before. Each rule only ever prefers
 * one of two tokens, so two tokens that are used in turn change the address once.
 * - A token that was issued before the one that set the address does not count.
 * - Tokens of the same second: the one that is used last counts, once. The address that it replaced needs a later token.
 * - A subject that names the same address as before says nothing new: it does not replace the address that another
 *   subject of the user, which a link has added, has named since.
 */
export function isCurrentClaim(claim: AddressClaim, { email, claims = [] }: RegisteredUser): boolean {
  if (email?.hash === claim.emailHash) return true;
  const own = claims.filter(({ subject }) => subject === claim.subject);
  const earlier = own.find(({ emailHash }) => emailHash === claim.emailHash);
  if (claim.issuedAt < (claims.at(-1)?.issuedAt ?? -Infinity)) return false;
  if (earlier === undefined) return true;
  return earlier === own.at(-1) ? email === null : claim.issuedAt > earlier.issuedAt;
}

export type UserCommand =
  | { readonly type: 'RegisterUser'; readonly userId: string; readonly subject: string }
  | ({ readonly type: 'VerifyUserEmail'; readonly userId: string; readonly email: EncryptedField } & Claimed)
  | ({ readonly type: 'ReleaseUserEmail'; readonly userId: string } & Claimed)
  | { readonly type: 'LinkUser'; readonly userId: string; readonly linkedUserId: string }
  | { readonly type: 'ForgetUser'; readonly userId: string };

function decide(command: UserCommand, state: User): readonly UserEvent[] {
  switch (command.type) {
    case 'RegisterUser':
      return state.status === 'unknown'
        ? [{ type: 'UserRegistered', data: { userId: command.userId, subject: command.subject } }]
        : [];
    case 'VerifyUserEmail':
      if (state.status === 'unknown' || isKnown(command.email, state) || !isCurrent(command, state)) return [];
      return [{ type: 'UserEmailVerified', data: { ...toChange(command), email: command.email } }];
    case 'ReleaseUserEmail':
      if (state.status === 'unknown' || state.email === null || !isCurrent(command, state)) return [];
      return [{ type: 'UserEmailReleased', data: toChange(command) }];
    case 'LinkUser':
      if (state.status === 'unknown' || state.linked?.includes(command.linkedUserId)) return [];
      return [{ type: 'UserLinked', data: { userId: command.userId, linkedUserId: command.linkedUserId } }];
    case 'ForgetUser':
      if (state.status === 'unknown' || state.isForgotten) return [];
      return [{ type: 'UserForgotten', data: { userId: command.userId } }];
  }
}

/** An address that is given again after its erasure makes the user known again, unless the user itself is forgotten. */
function isKnown(given: EncryptedField, { email, isForgotten }: RegisteredUser): boolean {
  return isForgotten ? email?.hash === given.hash : isSameAddress(email, given);
}

function isCurrent({ claim }: Claimed, user: RegisteredUser): boolean {
  return claim === undefined || isCurrentClaim(claim, user);
}

function toChange({ userId, claim }: Claimed & { readonly userId: string }) {
  return { userId, ...(claim !== undefined && { claim }) };
}

export const userDecider: Decider<User, UserCommand, UserEvent> = {
  category: 'user',
  versions: { UserRegistered: 1, UserEmailVerified: 1, UserEmailReleased: 1, UserLinked: 1, UserForgotten: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

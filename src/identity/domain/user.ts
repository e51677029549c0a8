import type { Decider } from '../../kernel/decider.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';

/*
 * Stored names never change: a change is a new type. `subject` is a keyed hash. A user without an address has signed in
 * with one that another user has. The subjects of a linked user sign in as this user.
 */
export type UserEvent =
  | Fact<'UserRegistered', { readonly userId: string; readonly subject: string }>
  | Fact<'UserEmailVerified', { readonly userId: string; readonly email: EncryptedField }>
  | Fact<'UserEmailReleased', { readonly userId: string }>
  | Fact<'UserLinked', { readonly userId: string; readonly linkedUserId: string }>;

export type User =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'registered';
      readonly id: string;
      readonly subject: string;
      readonly email: EncryptedField | null;
      /** The users that are linked to this one, if any. */
      readonly linked?: readonly string[];
    };

function evolve(state: User, event: UserEvent): User {
  switch (event.type) {
    case 'UserRegistered':
      return { status: 'registered', id: event.data.userId, subject: event.data.subject, email: null };
    case 'UserEmailVerified':
      return state.status === 'registered' ? { ...state, email: event.data.email } : state;
    case 'UserEmailReleased':
      return state.status === 'registered' ? { ...state, email: null } : state;
    case 'UserLinked':
      return state.status === 'registered'
        ? { ...state, linked: [...(state.linked ?? []), event.data.linkedUserId] }
        : state;
  }
}

export type UserCommand =
  | { readonly type: 'RegisterUser'; readonly userId: string; readonly subject: string }
  | { readonly type: 'VerifyUserEmail'; readonly userId: string; readonly email: EncryptedField }
  | { readonly type: 'ReleaseUserEmail'; readonly userId: string }
  | { readonly type: 'LinkUser'; readonly userId: string; readonly linkedUserId: string };

function decide(command: UserCommand, state: User): readonly UserEvent[] {
  switch (command.type) {
    case 'RegisterUser':
      return state.status === 'unknown'
        ? [{ type: 'UserRegistered', data: { userId: command.userId, subject: command.subject } }]
        : [];
    case 'VerifyUserEmail':
      if (state.status === 'unknown' || state.email?.hash === command.email.hash) return [];
      return [{ type: 'UserEmailVerified', data: { userId: command.userId, email: command.email } }];
    case 'ReleaseUserEmail':
      if (state.status === 'unknown' || state.email === null) return [];
      return [{ type: 'UserEmailReleased', data: { userId: command.userId } }];
    case 'LinkUser':
      if (state.status === 'unknown' || state.linked?.includes(command.linkedUserId)) return [];
      return [{ type: 'UserLinked', data: { userId: command.userId, linkedUserId: command.linkedUserId } }];
  }
}

export const userDecider: Decider<User, UserCommand, UserEvent> = {
  category: 'user',
  versions: { UserRegistered: 1, UserEmailVerified: 1, UserEmailReleased: 1, UserLinked: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

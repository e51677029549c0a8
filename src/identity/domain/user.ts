import type { Decider } from '../../kernel/decider.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';

/* Stored names never change: a change is a new type. `subject` is a keyed hash. */
export type UserEvent =
  | Fact<'UserRegistered', { readonly userId: string; readonly subject: string }>
  | Fact<'UserEmailVerified', { readonly userId: string; readonly email: EncryptedField }>;

export type User =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'registered';
      readonly id: string;
      readonly subject: string;
      readonly email: EncryptedField | null;
    };

function evolve(state: User, event: UserEvent): User {
  switch (event.type) {
    case 'UserRegistered':
      return { status: 'registered', id: event.data.userId, subject: event.data.subject, email: null };
    case 'UserEmailVerified':
      return state.status === 'registered' ? { ...state, email: event.data.email } : state;
  }
}

export type UserCommand =
  | { readonly type: 'RegisterUser'; readonly userId: string; readonly subject: string }
  | { readonly type: 'VerifyUserEmail'; readonly userId: string; readonly email: EncryptedField };

function decide(command: UserCommand, state: User): readonly UserEvent[] {
  switch (command.type) {
    case 'RegisterUser':
      return state.status === 'unknown'
        ? [{ type: 'UserRegistered', data: { userId: command.userId, subject: command.subject } }]
        : [];
    case 'VerifyUserEmail':
      if (state.status === 'unknown' || state.email?.hash === command.email.hash) return [];
      return [{ type: 'UserEmailVerified', data: { userId: command.userId, email: command.email } }];
  }
}

export const userDecider: Decider<User, UserCommand, UserEvent> = {
  category: 'user',
  versions: { UserRegistered: 1, UserEmailVerified: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

import type { Decider } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';

export type KeyAccess = 'full' | 'read_only';

interface KeyFacts {
  readonly keyId: string;
  readonly businessId: string;
  readonly userId: string;
  readonly name: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly prefix: string;
  readonly last4: string;
  readonly expiresAt: string | null;
}

/* Stored names are for ever: a change is a new type. The plaintext is in none of them. */
export type ApiKeyEvent = Fact<'ApiKeyCreated', KeyFacts>;

export type ApiKey = { readonly status: 'unknown' } | ({ readonly status: 'active' } & KeyFacts);

function evolve(_: ApiKey, { data }: ApiKeyEvent): ApiKey {
  return { status: 'active', ...data };
}

export type ApiKeyCommand = { readonly type: 'CreateApiKey' } & KeyFacts;

function decide({ type: _, ...facts }: ApiKeyCommand, state: ApiKey): readonly ApiKeyEvent[] {
  return state.status === 'unknown' ? [{ type: 'ApiKeyCreated', data: facts }] : [];
}

export const apiKey: Decider<ApiKey, ApiKeyCommand, ApiKeyEvent> = { category: 'apiKey', initial: { status: 'unknown' }, evolve, decide };

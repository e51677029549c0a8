import { addMs } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

export const KEY_ACCESSES = ['full', 'read_only'] as const;
export type KeyAccess = (typeof KEY_ACCESSES)[number];

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

/* Stored names never change: a change is a new type. No event contains the plaintext. */
export type ApiKeyEvent =
  | Fact<'ApiKeyCreated', KeyFacts>
  | Fact<'ApiKeyRotated', { readonly keyId: string; readonly successorId: string; readonly endsAt: string }>
  | Fact<'ApiKeyRevoked', { readonly keyId: string }>;

export interface KnownKey extends KeyFacts {
  readonly status: 'active' | 'revoked';
  /** When the key stops working: its own expiry, or earlier after a rotation. */
  readonly endsAt: string | null;
  readonly successorId: string | null;
}

export type ApiKey = { readonly status: 'unknown' } | KnownKey;

function evolve(state: ApiKey, { type, data }: ApiKeyEvent): ApiKey {
  if (type === 'ApiKeyCreated') return { status: 'active', ...data, endsAt: data.expiresAt, successorId: null };
  if (state.status === 'unknown') return state;
  switch (type) {
    case 'ApiKeyRotated':
      return { ...state, endsAt: data.endsAt, successorId: data.successorId };
    case 'ApiKeyRevoked':
      return { ...state, status: 'revoked' };
  }
}

export type ApiKeyCommand =
  | ({ readonly type: 'CreateApiKey' } & KeyFacts)
  | { readonly type: 'RotateApiKey'; readonly successorId: string; readonly overlapSeconds: number }
  | { readonly type: 'RevokeApiKey' };

function decide(command: ApiKeyCommand, state: ApiKey, { now }: DecisionContext): readonly ApiKeyEvent[] {
  if (command.type === 'CreateApiKey') return state.status === 'unknown' ? [toCreated(command)] : [];
  if (state.status === 'unknown') throw Rejection.notFound();
  switch (command.type) {
    case 'RotateApiKey':
      return rotate(command.successorId, command.overlapSeconds, state, now);
    case 'RevokeApiKey':
      return state.status === 'revoked' ? [] : [{ type: 'ApiKeyRevoked', data: { keyId: state.keyId } }];
  }
}

function toCreated({ type: _, ...facts }: Extract<ApiKeyCommand, { type: 'CreateApiKey' }>): ApiKeyEvent {
  return { type: 'ApiKeyCreated', data: facts };
}

function rotate(successorId: string, overlapSeconds: number, key: KnownKey, now: string): readonly ApiKeyEvent[] {
  if (key.successorId === successorId) return [];
  if (!isLive(key, Date.parse(now)))
    throw new Rejection('key_ended', 'The key is revoked or has expired. Create a new key.');

  const overlapEnds = addMs(now, overlapSeconds * 1000);
  const endsAt = key.endsAt !== null && key.endsAt < overlapEnds ? key.endsAt : overlapEnds;
  return [{ type: 'ApiKeyRotated', data: { keyId: key.keyId, successorId, endsAt } }];
}

export const apiKeyDecider: Decider<ApiKey, ApiKeyCommand, ApiKeyEvent> = {
  category: 'apiKey',
  versions: { ApiKeyCreated: 1, ApiKeyRotated: 1, ApiKeyRevoked: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

export function hasEnded({ endsAt }: KnownKey, nowMs: number): boolean {
  return endsAt !== null && Date.parse(endsAt) <= nowMs;
}

export function isLive(key: KnownKey, nowMs: number): boolean {
  return key.status === 'active' && !hasEnded(key, nowMs);
}

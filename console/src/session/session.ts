import { useSyncExternalStore } from 'react';

export type Mode = 'live' | 'test';

/** The signed-in user. The credential is kept in memory; sessionStorage keeps it after a link, or if the user chooses that. */
export interface Session {
  readonly credential: string;
  readonly kind: 'key' | 'token' | 'operator';
  readonly access: 'full' | 'read_only';
  readonly mode: Mode;
  readonly business: { readonly id: string; readonly name: string } | null;
  readonly user: { readonly id: string; readonly email: string | null } | null;
  readonly staysAfterReload: boolean;
}

/** Why a user who had a credential has to sign in again. */
export type SignInReason = 'link_expired' | 'link_rejected' | 'session_ended';

const STORAGE_KEY = 'console-session';
const listeners = new Set<() => void>();
let session: Session | null = null;
let candidate: Session | null = null;
let reason: SignInReason | null = null;

/** The session that requests are sent with. */
export function getSession(): Session | null {
  return candidate ?? session;
}

/** Sends requests with a session that is not signed in yet: the page stays as it is until the service accepts it. */
export function tryOutSession(next: Session): void {
  candidate = next;
}

/** Replaces the session; null signs out and deletes the stored credential, with the reason that the user sees. */
export function setSession(next: Session | null, because: SignInReason | null = null): void {
  session = next;
  candidate = null;
  reason = because;
  if (next?.staysAfterReload) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  else sessionStorage.removeItem(STORAGE_KEY);
  for (const listener of listeners) listener();
}

/** Ends the session that a request was sent with, if the user has not signed in again since. */
export function endSession(used: Session | null): void {
  if (session !== null && session === used) setSession(null, 'session_ended');
}

export function getSignInReason(): SignInReason | null {
  return reason;
}

export function readStoredSession(): Session | null {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  return stored === null ? null : (JSON.parse(stored) as Session);
}

/** The session of a component; the component renders again when the session changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, () => session);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

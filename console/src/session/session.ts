import { useSyncExternalStore } from 'react';

export type Mode = 'live' | 'test';

/** Who is signed in. The credential is kept in memory, and in sessionStorage only when the user chooses that. */
export interface Session {
  readonly credential: string;
  readonly kind: 'key' | 'token' | 'operator';
  readonly access: 'full' | 'read_only';
  readonly mode: Mode;
  readonly business: { readonly id: string; readonly name: string } | null;
  readonly user: { readonly id: string; readonly email: string | null } | null;
  readonly staysAfterReload: boolean;
}

const STORAGE_KEY = 'console-session';
const listeners = new Set<() => void>();
let session: Session | null = null;

export function getSession(): Session | null {
  return session;
}

/** Replaces the session; null signs out and deletes the stored credential. */
export function setSession(next: Session | null): void {
  session = next;
  if (next?.staysAfterReload) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  else sessionStorage.removeItem(STORAGE_KEY);
  for (const listener of listeners) listener();
}

export function readStoredSession(): Session | null {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  return stored === null ? null : (JSON.parse(stored) as Session);
}

/** The session of a component; the component renders again when the session changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, getSession);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

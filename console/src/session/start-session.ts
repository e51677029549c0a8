import { call, callList, callOperations } from '../api/api';
import { ProblemError } from '../api/problem';
import { type Mode, readStoredSession, type Session, setSession, type SignInReason, tryOutSession } from './session';
import { getSettings } from './settings';
import { endSharedSession, findSharedSession, shareSession } from './shared-session';

interface Caller {
  readonly actor: { readonly type: string };
  readonly user: Session['user'];
  readonly business: { readonly id: string } | null;
  readonly mode: Mode;
  readonly access: Session['access'];
}

/** Signs in with the token in the address, or continues the session of this tab or of another one. */
export async function startSession(): Promise<void> {
  const link = takeLinkFromAddress();
  const stored = readStoredSession();
  if (link !== null && mayUseLink(link, stored)) await signInByLink(link);
  else setSession(stored ?? (await findSharedSession()));
  shareSession();
}

/** A link of somebody else must not replace a session unnoticed, and no link has a key. */
function mayUseLink({ token }: Link, stored: Session | null): boolean {
  if (!getSettings().links || isKey(token)) return false;
  return (
    stored === null ||
    stored.credential === token ||
    window.confirm('Sign out, and sign in with the token of this link?')
  );
}

/** The address no longer holds the token, so that only the session survives a reload. */
async function signInByLink({ token, mode }: Link): Promise<void> {
  try {
    await signIn(token, true, mode);
  } catch (error) {
    setSession(null, toReason(error));
  }
}

function toReason(error: unknown): SignInReason | null {
  if (!(error instanceof ProblemError) || error.status !== 401) return null;
  return error.problem.code === 'token_expired' ? 'link_expired' : 'link_rejected';
}

interface Link {
  readonly token: string;
  readonly mode: Mode;
}

/** Takes the token out of the fragment at once, so that no history and no copied address holds it. */
function takeLinkFromAddress(): Link | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const token = fragment.get('token');
  if (token === null) return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return { token, mode: fragment.get('mode') === 'test' ? 'test' : 'live' };
}

/** Signs in with a key or a session token; throws a `ProblemError` when the service refuses it. */
export async function signIn(credential: string, staysAfterReload: boolean, mode: Mode = 'live'): Promise<void> {
  if (getSettings().surface === 'operators') return signInOperator(credential, staysAfterReload);
  const kind = isKey(credential) ? 'key' : 'token';
  const start: Session = {
    credential,
    kind,
    access: 'full',
    mode,
    business: null,
    user: null,
    staysAfterReload: false,
  };
  tryOutSession(start);
  try {
    const caller = await call<Caller>('GET', '/v1/auth/me');
    const business = await findBusiness(kind, caller);
    setSession({ ...start, access: caller.access, mode: caller.mode, user: caller.user, business, staysAfterReload });
  } catch (error) {
    setSession(null);
    throw error;
  }
}

function isKey(credential: string): boolean {
  return /^[sr]k_/.test(credential);
}

/** Signs out here and in the tabs that share the session, and deletes everything that the browser stores about it. */
export function signOut(): void {
  const stored = readStoredSession();
  setSession(null);
  if (stored !== null) endSharedSession(stored);
}

async function signInOperator(credential: string, staysAfterReload: boolean): Promise<void> {
  const operator: Session = {
    credential,
    kind: 'operator',
    access: 'full',
    mode: 'live',
    business: null,
    user: null,
    staysAfterReload,
  };
  tryOutSession(operator);
  try {
    await callOperations('GET', '/ops/projections');
    setSession(operator);
  } catch (error) {
    setSession(null);
    throw error;
  }
}

/** A key belongs to one business. A session starts with the first business of its user. */
async function findBusiness(kind: Session['kind'], caller: Caller): Promise<Session['business']> {
  if (kind === 'key') return caller.business && { id: caller.business.id, name: caller.business.id };
  const [first] = await listBusinesses();
  return first ?? null;
}

export async function listBusinesses(): Promise<NonNullable<Session['business']>[]> {
  const { data } = await callList('/v1/businesses');
  return data.map(({ id, name }) => ({ id: String(id), name: String(name) }));
}

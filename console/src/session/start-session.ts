import { call, callList, callOperations } from '../api/api';
import { ProblemError } from '../api/problem';
import { NOWHERE, type Place, readPlace, removeFragment } from './place';
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

/**
 * Signs in with the token in the address, or continues the session of this tab or of another one, in the business and
 * the mode that the address names.
 */
export async function startSession(): Promise<void> {
  const link = takeLinkFromAddress();
  const stored = readStoredSession();
  if (link !== null && mayUseLink(link, stored)) await signInByLink(link);
  else await continueSession(stored ?? (await findSharedSession()));
  shareSession();
}

/** Without a session the address keeps its place until somebody has signed in. */
async function continueSession(session: Session | null): Promise<void> {
  setSession(session);
  if (session === null) return;
  const place = readPlace(window.location.hash);
  removeFragment();
  if (session.kind === 'token' && place !== NOWHERE) await moveTo(place, session).catch(() => undefined);
}

/** A session that cannot be moved stays where it is, and the page says what is wrong with it. */
async function moveTo(place: Place, session: Session): Promise<void> {
  const business = await findBusiness('token', null, place);
  setSession({ ...session, mode: place.mode ?? session.mode, business });
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
async function signInByLink({ token, place }: Link): Promise<void> {
  try {
    await signIn(token, true, place);
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
  readonly place: Place;
}

/** Takes the token out of the fragment at once, so that no history and no copied address holds it. */
function takeLinkFromAddress(): Link | null {
  const { hash } = window.location;
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (token === null) return null;
  removeFragment();
  return { token, place: readPlace(hash) };
}

/** Signs in with a key or a session token; throws a `ProblemError` when the service refuses it. */
export async function signIn(
  credential: string,
  staysAfterReload: boolean,
  place: Place = readPlace(window.location.hash),
): Promise<void> {
  if (getSettings().surface === 'operators') return signInOperator(credential, staysAfterReload);
  const kind = isKey(credential) ? 'key' : 'token';
  const start: Session = {
    credential,
    kind,
    access: 'full',
    mode: place.mode ?? 'live',
    business: null,
    user: null,
    staysAfterReload: false,
  };
  tryOutSession(start);
  try {
    const caller = await call<Caller>('GET', '/v1/auth/me');
    const business = await findBusiness(kind, caller.business, place);
    setSession({ ...start, access: caller.access, mode: caller.mode, user: caller.user, business, staysAfterReload });
    removeFragment();
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

/** A key belongs to one business. A session starts with the business of its link, or the first one of its user. */
async function findBusiness(
  kind: Session['kind'],
  own: Caller['business'],
  { business: wanted }: Place,
): Promise<Session['business']> {
  if (kind === 'key') return own && { id: own.id, name: own.id };
  const all = await listBusinesses();
  return all.find(({ id }) => id === wanted) ?? all[0] ?? null;
}

export async function listBusinesses(): Promise<NonNullable<Session['business']>[]> {
  const { data } = await callList('/v1/businesses');
  return data.map(({ id, name }) => ({ id: String(id), name: String(name) }));
}

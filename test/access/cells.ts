/**
 * The callers. Sessions name a business where the route requires one. The last four callers get the same on every
 * route with a credential.
 */
export const CALLERS = [
  'secret key',
  'read-only key',
  'test key',
  'owner',
  'owner who names no business',
  'moderator',
  'member',
  'outsider',
  'reviewer',
  'key of another business',
  'owner of another business',
  'token of another cart',
  'expired token',
  'forged kid',
  'anonymous',
  'session while the key server is down',
] as const;

export type CallerName = (typeof CALLERS)[number];

/** `ok`, or the problem code. */
export type Outcome = string;

export type Cells = Readonly<Record<CallerName, Outcome>>;

type Visitors = 'outsider' | 'reviewer' | 'owner of another business';

const WITHOUT_CREDENTIAL = {
  'expired token': 'token_expired',
  'forged kid': 'invalid_credentials',
  anonymous: 'authentication_required',
  'session while the key server is down': 'service_unavailable',
} as const;

const OTHER_SESSIONS = sessions('business_access_denied');

/** Returns one outcome for all credentials except cart tokens, with exceptions. */
function cells(most: Outcome, others: Partial<Cells>): Cells {
  const all = Object.fromEntries(CALLERS.map((caller) => [caller, most])) as Cells;
  return { ...all, 'token of another cart': 'permission_denied', ...WITHOUT_CREDENTIAL, ...others };
}

/** All sessions, except that of the owner who names the business. */
function sessions(outcome: Outcome): Partial<Cells> {
  return {
    'owner who names no business': outcome,
    moderator: outcome,
    member: outcome,
    outsider: outcome,
    reviewer: outcome,
  };
}

function visitors(outcome: Outcome): Pick<Cells, Visitors | 'key of another business'> {
  return {
    outsider: outcome,
    reviewer: outcome,
    'key of another business': outcome,
    'owner of another business': outcome,
  };
}

function otherKeys(outcome: Outcome): Partial<Cells> {
  return { 'test key': outcome, 'key of another business': outcome };
}

const READ_ONLY = { 'read-only key': 'read_only_key' };
const LIVE_ONLY = { 'test key': 'live_key_required' };
/** Resources of other businesses or modes are not found. */
const OTHER_OWNERS = { ...otherKeys('not_found'), 'owner of another business': 'not_found' };

export const PUBLIC = Object.fromEntries(CALLERS.map((caller) => [caller, 'ok'])) as Cells;
export const ANY_CREDENTIAL = cells('ok', {});

export const BUSINESS_LIST = cells('ok', OTHER_SESSIONS);
export const BUSINESS_GET = cells('ok', { ...OTHER_SESSIONS, ...OTHER_OWNERS });
export const BUSINESS_CREATE = cells('ok', { ...OTHER_SESSIONS, ...READ_ONLY });
export const BUSINESS_WRITE = cells('ok', { ...OTHER_SESSIONS, ...OTHER_OWNERS, ...READ_ONLY });
/** The balances of other businesses and modes are empty. */
export const PAYOUT = cells('ok', {
  ...OTHER_SESSIONS,
  ...READ_ONLY,
  ...otherKeys('insufficient_seller_balance'),
  'owner of another business': 'insufficient_seller_balance',
});
export const TEST_CLOCK_GET = cells('permission_denied', { ...OTHER_SESSIONS, 'test key': 'ok' });
export const TEST_CLOCK_WRITE = cells('permission_denied', { ...OTHER_SESSIONS, ...READ_ONLY, 'test key': 'ok' });
export const DISPUTE_OUTCOME = cells('permission_denied', {
  ...OTHER_SESSIONS,
  ...READ_ONLY,
  'test key': 'not_found',
});
export const SECRET_ROTATION = cells('secret_key_required', {
  'secret key': 'ok',
  ...otherKeys('not_found'),
  ...READ_ONLY,
});
export const REVIEW_LIST = cells('permission_denied', { reviewer: 'ok' });
export const REVIEW = cells('permission_denied', { reviewer: 'ok', ...READ_ONLY });

const NO_KEYS = {
  'secret key': 'permission_denied',
  'read-only key': 'permission_denied',
  ...otherKeys('permission_denied'),
};
const NO_KEY_WRITES = { ...NO_KEYS, ...READ_ONLY };

export const SESSION_LIST = cells('ok', NO_KEYS);
export const SESSION_CREATE = cells('ok', NO_KEY_WRITES);
export const KEY_LIST = cells('ok', { ...OTHER_SESSIONS, ...NO_KEYS });
export const KEY_GET = cells('ok', { ...OTHER_SESSIONS, ...NO_KEYS, 'owner of another business': 'not_found' });
export const KEY_CREATE = cells('ok', { ...OTHER_SESSIONS, ...NO_KEY_WRITES });
export const KEY_WRITE = cells('ok', { ...OTHER_SESSIONS, ...NO_KEY_WRITES, 'owner of another business': 'not_found' });

export const COMMUNITY_GET = cells('ok', LIVE_ONLY);
export const COMMUNITY_CREATE = cells('ok', { ...LIVE_ONLY, ...READ_ONLY });

/**
 * Routes at and below `/communities/{id}`, and, as INNER, routes that name another resource of a community. They are
 * for members, for moderators, or for the owner.
 */
const OUTSIDE = { ...visitors('not_a_member'), ...LIVE_ONLY };
const INNER_OUTSIDE = { ...visitors('not_found'), ...LIVE_ONLY };
const NO_MEMBER = { member: 'permission_denied' };
const OWNER_ONLY = { moderator: 'permission_denied', member: 'permission_denied' };

export const MEMBERS_GET = cells('ok', OUTSIDE);
export const MODERATORS_GET = cells('ok', { ...OUTSIDE, ...NO_MEMBER });
export const MEMBERS_WRITE = cells('ok', { ...OUTSIDE, ...READ_ONLY });
export const MODERATORS_WRITE = cells('ok', { ...OUTSIDE, ...NO_MEMBER, ...READ_ONLY });
export const OWNER_WRITE = cells('ok', { ...OUTSIDE, ...OWNER_ONLY, ...READ_ONLY });
export const JOIN = cells('ok', { ...LIVE_ONLY, ...READ_ONLY });
export const LEAVE = cells('last_owner', { ...OUTSIDE, ...READ_ONLY, moderator: 'ok', member: 'ok' });
export const INNER_MEMBERS_GET = cells('ok', INNER_OUTSIDE);
/** Other members do not see an invite. */
export const INVITE_GET = cells('ok', { ...INNER_OUTSIDE, member: 'not_found' });
export const INVITE_WRITE = cells('ok', { ...INNER_OUTSIDE, ...READ_ONLY, member: 'not_found' });
export const INNER_MEMBERS_WRITE = cells('ok', { ...INNER_OUTSIDE, ...READ_ONLY });
export const INNER_MODERATORS_WRITE = cells('ok', { ...INNER_OUTSIDE, ...NO_MEMBER, ...READ_ONLY });

export const INNER_OWNER_WRITE = cells('ok', { ...INNER_OUTSIDE, ...OWNER_ONLY, ...READ_ONLY });

/** The outsider is the invitee. */
export const INVITE_DECLINE = cells('not_found', {
  ...LIVE_ONLY,
  ...READ_ONLY,
  'secret key': 'ok',
  outsider: 'ok',
});
export const INVITE_ACCEPT = { ...INVITE_DECLINE, 'secret key': 'permission_denied' };

/** The cells of a row with some exceptions. */
export function except(row: Cells, others: Partial<Cells>): Cells {
  return { ...row, ...others };
}

const FOREIGN_CART = { ...sessions('not_found'), ...OTHER_OWNERS, 'token of another cart': 'not_found' };

export const BUYER_VIEW = cells('ok', { ...OTHER_OWNERS, 'token of another cart': 'ok' });
export const CART_CREATE = cells('ok', {
  ...READ_ONLY,
  'key of another business': 'validation_failed',
  'owner of another business': 'validation_failed',
});
export const CART_GET = cells('ok', FOREIGN_CART);
export const CART_WRITE = cells('ok', { ...FOREIGN_CART, ...READ_ONLY });
/** The product in the body belongs to one business in one mode. */
export const OFFER_CREATE = except(BUSINESS_CREATE, {
  'test key': 'validation_failed',
  'key of another business': 'validation_failed',
  'owner of another business': 'validation_failed',
});

import type { Rule } from '../access.js';
import type { Route } from './route.js';

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const;

/** Every credential is sent as `Authorization: Bearer …`. */
export const CREDENTIALS = {
  secretKey: bearer('A secret API key of a business, `sk_live_…` or `sk_test_…`: reads and writes.'),
  readOnlyKey: bearer('A read-only API key of a business, `rk_live_…` or `rk_test_…`: reads.'),
  sessionToken: bearer('The session token (a JWT) of a signed-in user, with `X-Service-Business-Id` for a business that the user owns.'),
  cartToken: bearer('The token from the response that created a cart: gives access to that cart.'),
};

type Credential = keyof typeof CREDENTIALS;

const KEYS: readonly Credential[] = ['secretKey', 'readOnlyKey'];

const ADMITTED: Readonly<Record<Rule, readonly Credential[]>> = {
  business: [...KEYS, 'sessionToken'],
  community: [...KEYS, 'sessionToken'],
  public: [],
  any: [...KEYS, 'sessionToken'],
  session: ['sessionToken'],
  owner_session: ['sessionToken'],
  reviewer: ['sessionToken'],
  buyer: [...KEYS, 'sessionToken', 'cartToken'],
  secret_key: ['secretKey'],
};

export function admittedTo({ access, writes }: Pick<Route, 'access' | 'writes'>): readonly Credential[] {
  return ADMITTED[access].filter((credential) => !(writes && credential === 'readOnlyKey'));
}

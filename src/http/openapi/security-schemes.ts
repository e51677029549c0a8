import type { AccessRule } from '../auth/access.js';
import type { Route } from './route.js';

const bearerScheme = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const;

/** Every credential is sent as `Authorization: Bearer …`. */
export const SECURITY_SCHEMES = {
  secretKey: bearerScheme('A secret API key of a business, `sk_live_…` or `sk_test_…`: reads and writes.'),
  readOnlyKey: bearerScheme('A read-only API key of a business, `rk_live_…` or `rk_test_…`: reads.'),
  sessionToken: bearerScheme(
    'The session token (a JWT) of a signed-in user, with `X-Service-Business-Id` for a business that the user owns.',
  ),
  cartToken: bearerScheme('The token from the response that created a cart: gives access to that cart.'),
};

type Credential = keyof typeof SECURITY_SCHEMES;

const KEYS: readonly Credential[] = ['secretKey', 'readOnlyKey'];

const CREDENTIALS_BY_RULE: Readonly<Record<AccessRule, readonly Credential[]>> = {
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

export function credentialsFor({ access, writes }: Pick<Route, 'access' | 'writes'>): readonly Credential[] {
  return CREDENTIALS_BY_RULE[access].filter((credential) => !(writes && credential === 'readOnlyKey'));
}

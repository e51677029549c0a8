import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { Rejection } from '../../kernel/rejection.js';

export const SESSION_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

export function parseJwks(text: string): readonly JWK[] {
  const { keys } = JSON.parse(text) as JSONWebKeySet;
  if (!Array.isArray(keys)) throw new Error('there is no list of keys');
  return keys;
}

/** @throws Error when no key is usable. Such a key set is a mistake of the provider, and sessions stay valid. */
export async function createKeyFinder(keys: readonly JWK[]): Promise<JWTVerifyGetKey> {
  const checked = await Promise.all(keys.map(async (key) => ((await canVerify(key)) ? [key] : [])));
  const usable = checked.flat();
  if (usable.length === 0) throw new Error('there is no usable key');
  return createLocalJWKSet({ keys: usable });
}

/** Returns a 503: without keys the service cannot reject a credential. */
export function createKeysUnavailable(): Rejection {
  return new Rejection('service_unavailable', 'The keys that verify session tokens are unavailable. Try again.');
}

/** Whether the key can be imported as a public key of a supported algorithm. */
function canVerify(key: JWK): Promise<boolean> {
  const imports = SESSION_ALGORITHMS.map(async (alg) => createLocalJWKSet({ keys: [key] })({ alg }));
  return Promise.any(imports).then(
    () => true,
    () => false,
  );
}

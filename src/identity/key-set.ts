import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { Rejection } from '../kernel/rejection.js';

export const SESSION_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

export function keysIn(text: string): readonly JWK[] {
  const { keys } = JSON.parse(text) as JSONWebKeySet;
  if (!Array.isArray(keys)) throw new Error('there is no list of keys');
  return keys;
}

/** @throws Error when no key can be used: such a set is a mistake of the provider, not a withdrawal of everybody's session */
export async function finderOf(keys: readonly JWK[]): Promise<JWTVerifyGetKey> {
  const checked = await Promise.all(keys.map(async (key) => ((await canVerify(key)) ? [key] : [])));
  const usable = checked.flat();
  if (usable.length === 0) throw new Error('there is no usable key');
  return createLocalJWKSet({ keys: usable });
}

/** Without keys nobody's credential can be called wrong. */
export function keysUnavailable(): Rejection {
  return new Rejection('service_unavailable', 'The keys of session tokens cannot be had now. Try again.');
}

/** Whether it imports as a public key of one of our algorithms. */
function canVerify(key: JWK): Promise<boolean> {
  const imports = SESSION_ALGORITHMS.map(async (alg) => createLocalJWKSet({ keys: [key] })({ alg }));
  return Promise.any(imports).then(
    () => true,
    () => false,
  );
}

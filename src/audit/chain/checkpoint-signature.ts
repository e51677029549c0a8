import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { HashChainState } from '../domain/chain-checkpoint.js';
import { encodeCanonically } from './canonical-json.js';

const KEY_ID_CHARACTERS = 16;

/** A public key as auditors see it. */
export interface SigningKeyInfo {
  readonly key_id: string;
  readonly algorithm: 'Ed25519';
  /** The 32 bytes of the key in base64url. */
  readonly public_key: string;
}

export function describeSigningKey(key: KeyObject): SigningKeyInfo {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const { x } = publicKey.export({ format: 'jwk' });
  const key_id = createHash('sha256').update(Buffer.from(x!, 'base64url')).digest('hex').slice(0, KEY_ID_CHARACTERS);
  return { key_id, algorithm: 'Ed25519', public_key: x! };
}

/** @throws when it is not an Ed25519 key in base64url */
export function parsePublicKey(publicKey: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
}

export function signChainCheckpoint(business: string | null, state: HashChainState, privateKey: KeyObject): string {
  return sign(null, encodeSignedPart(business, state), privateKey).toString('base64url');
}

export function isSignedBy(
  publicKey: KeyObject,
  business: string | null,
  { signature, ...state }: HashChainState & { readonly signature: string },
): boolean {
  return verify(null, encodeSignedPart(business, state), publicKey, Buffer.from(signature, 'base64url'));
}

/** The signature covers these fields as canonical JSON. */
function encodeSignedPart(business: string | null, { count, position, head }: HashChainState): Buffer {
  return Buffer.from(encodeCanonically({ business, count, position, head }));
}

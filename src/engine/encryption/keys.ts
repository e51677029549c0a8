import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { LruCache } from '../lru-cache.js';
import { decryptWithKeyId, encryptWithKeyId, isEncryptedBy } from './aes-gcm.js';

const KEY_BYTES = 32;
const CACHED_KEYS = 64;
export const VAULT_PURPOSE = 'vault';

export interface ConfiguredKeys {
  readonly masterKey: Buffer;
  readonly keyPepper: Buffer;
  /** Newest first. */
  readonly masterKeyPrevious: readonly Buffer[];
  readonly keyPepperPrevious: readonly Buffer[];
}

/**
 * The two root keys: the master key encrypts, the pepper hashes. They are never stored with the data. Each can be
 * replaced; earlier keys still decrypt, and find by hash, what they have protected.
 */
export class Keys {
  private readonly masters: readonly [Buffer, ...Buffer[]];
  private readonly peppers: readonly KeyObject[];
  private readonly derived = new LruCache<string, Buffer>(CACHED_KEYS);

  /** @param previous earlier master keys and peppers, newest first */
  constructor(
    master: Buffer,
    pepper: Buffer,
    { masters = [], peppers = [] }: { readonly masters?: readonly Buffer[]; readonly peppers?: readonly Buffer[] } = {},
  ) {
    this.masters = [master, ...masters];
    this.peppers = [pepper, ...peppers].map((one) => createSecretKey(one));
  }

  static from({ masterKey, keyPepper, masterKeyPrevious, keyPepperPrevious }: ConfiguredKeys): Keys {
    return new Keys(masterKey, keyPepper, { masters: masterKeyPrevious, peppers: keyPepperPrevious });
  }

  /**
   * Encrypts with a key that is derived from the master key for this purpose alone. High-volume data has one purpose
   * per day: with random nonces, a key may encrypt at most 2^32 messages (NIST SP 800-38D).
   */
  encrypt(purpose: string, label: string, plain: Uint8Array): Buffer {
    return encryptWithKeyId(this.derive(this.masters[0], purpose), label, plain);
  }

  /** @throws when no known key has encrypted it, the label differs, or a bit has changed */
  decrypt(purpose: string, label: string, encrypted: Uint8Array): Buffer {
    // Earlier versions encrypted with the master key itself.
    const keys = this.masters.flatMap((master) => [this.derive(master, purpose), master]);
    const key = keys.find((one) => isEncryptedBy(one, encrypted));
    if (key === undefined) throw new Error('encrypted with another master key');
    return decryptWithKeyId(key, label, encrypted);
  }

  /** Returns whether the current master key has encrypted it. */
  isCurrent(purpose: string, encrypted: Uint8Array): boolean {
    return isEncryptedBy(this.derive(this.masters[0], purpose), encrypted);
  }

  /** Returns a keyed digest for one purpose; digests of the same text for two purposes are unrelated. */
  digest(purpose: string, text: string): Buffer {
    return digestWith(this.peppers[0]!, purpose, text);
  }

  /** Returns the digests under every pepper, current one first: one of them was current when the digest was stored. */
  digestWithAll(purpose: string, text: string): Buffer[] {
    return this.peppers.map((pepper) => digestWith(pepper, purpose, text));
  }

  /**
   * Returns a digest for permanent lookups, in stream names and recorded events: it always uses the store's first
   * pepper.
   */
  digestForIndex(purpose: string, text: string): Buffer {
    return digestWith(this.peppers.at(-1)!, purpose, text);
  }

  private derive(master: Buffer, purpose: string): Buffer {
    const name = `${this.masters.indexOf(master)} ${purpose}`;
    const known = this.derived.get(name);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', master, '', purpose, KEY_BYTES));
    this.derived.set(name, key);
    return key;
  }
}

function digestWith(pepper: KeyObject, purpose: string, text: string): Buffer {
  return createHmac('sha256', pepper).update(`${purpose}\u0000${text}`).digest();
}

import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Recent } from '../recent.js';
import { decryptKept, encryptKept, isSealedBy } from './sealing.js';

const KEY_BYTES = 32;
const REMEMBERED = 64;
/** Of keys and secrets in the vault. */
export const VAULT = 'vault';

/** What a service is configured with. */
export interface ConfiguredKeys {
  readonly masterKey: Buffer;
  readonly keyPepper: Buffer;
  /** The newest first. */
  readonly masterKeyPrevious: readonly Buffer[];
  readonly keyPepperPrevious: readonly Buffer[];
}

/**
 * The two keys that everything secret hangs on: the master key seals, the pepper hashes. Never stored with the data. Each can be replaced;
 * the earlier ones still open what they have sealed, and find what they have hashed.
 */
export class Keys {
  private readonly masters: readonly [Buffer, ...Buffer[]];
  private readonly peppers: readonly KeyObject[];
  private readonly derived = new Recent<string, Buffer>(REMEMBERED);

  /** @param previous earlier master keys and peppers, the newest first */
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
   * Sealed under a key that is derived from the master key for this purpose alone. What is sealed in volume has a purpose for each day:
   * with random nonces, one key may seal 2^32 times at most (NIST SP 800-38D).
   */
  seal(purpose: string, label: string, plain: Uint8Array): Buffer {
    return encryptKept(this.derive(this.masters[0], purpose), label, plain);
  }

  /** @throws when no key that is known has sealed it, the label is another, or a bit has changed */
  open(purpose: string, label: string, sealed: Uint8Array): Buffer {
    // Earlier versions sealed under the master key itself.
    const keys = this.masters.flatMap((master) => [this.derive(master, purpose), master]);
    const key = keys.find((one) => isSealedBy(one, sealed));
    if (key === undefined) throw new Error('sealed under another master key');
    return decryptKept(key, label, sealed);
  }

  /** Whether it needs no sealing again. */
  isCurrent(purpose: string, sealed: Uint8Array): boolean {
    return isSealedBy(this.derive(this.masters[0], purpose), sealed);
  }

  /** A keyed digest for one purpose: the same text under another purpose has nothing in common with it. */
  digest(purpose: string, text: string): Buffer {
    return digestWith(this.peppers[0]!, purpose, text);
  }

  /** Under every pepper, the current one first: one of them was the current one when the digest was stored. */
  digests(purpose: string, text: string): Buffer[] {
    return this.peppers.map((pepper) => digestWith(pepper, purpose, text));
  }

  /**
   * For what is found by its digest for ever, in names of streams and in recorded events: under the store's first pepper, whatever the
   * current one is.
   */
  index(purpose: string, text: string): Buffer {
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

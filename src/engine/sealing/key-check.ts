import type { Vault } from '../../kernel/vault.js';
import { VAULT, type Keys } from './keys.js';

/** Id of the key check value. */
export const KEY_MARK = 'key check';

/**
 * The store was encrypted or hashed with other keys. The given keys can decrypt none of its data, and the right keys
 * could not decrypt what the given keys encrypt.
 */
export class OtherKeys extends Error {
  constructor(readonly variable: 'MASTER_KEY' | 'KEY_PEPPER') {
    super(`${variable} does not match this store: restore the original value, or add it to ${variable}_PREVIOUS.`);
    this.name = 'OtherKeys';
  }
}

/**
 * Compares the keys with the key check value in the vault; the first start stores it.
 * @throws KeyMismatch
 */
export async function checkKeys(vault: Vault, keys: Keys): Promise<void> {
  const mark = (await vault.get(KEY_MARK)) ?? (await vault.put(KEY_MARK, keys.seal(VAULT, KEY_MARK, keys.index(KEY_MARK, ''))));
  if (mark === null) throw new Error(`The key check value of the vault (${KEY_MARK}) was destroyed.`);
  checkMark(mark, keys);
}

/**
 * Compares the keys with a key check value that is not in the vault.
 * @throws KeyMismatch
 */
export function checkMark(mark: Uint8Array, keys: Keys): void {
  if (!opened(keys, mark).equals(keys.index(KEY_MARK, ''))) throw new OtherKeys('KEY_PEPPER');
}

function opened(keys: Keys, mark: Uint8Array): Buffer {
  try {
    return keys.open(VAULT, KEY_MARK, mark);
  } catch {
    throw new OtherKeys('MASTER_KEY');
  }
}

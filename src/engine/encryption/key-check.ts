import type { Vault } from '../../kernel/vault.js';
import { type Keys, VAULT_PURPOSE } from './keys.js';

const KEY_FILES = { MASTER_KEY: 'master.key', KEY_PEPPER: 'pepper.key' };
export const KEY_CHECK_ID = 'key check';

/**
 * The store was encrypted or hashed with other keys. The given keys can decrypt none of its data, and the right keys
 * could not decrypt what the given keys encrypt.
 */
export class KeyMismatch extends Error {
  constructor(readonly variable: 'MASTER_KEY' | 'KEY_PEPPER') {
    super(
      `${variable} does not match this store: restore the original value, or add it to ${variable}_PREVIOUS. ` +
        `Without the variable, the key is in ${KEY_FILES[variable]} of the data folder.`,
    );
    this.name = 'KeyMismatch';
  }
}

/**
 * Compares the keys with the key check value in the vault; the first start stores it.
 * @throws KeyMismatch
 */
export async function verifyKeys(vault: Vault, keys: Keys): Promise<void> {
  const keyCheckValue =
    (await vault.get(KEY_CHECK_ID)) ??
    (await vault.putIfAbsent(
      KEY_CHECK_ID,
      keys.encrypt(VAULT_PURPOSE, KEY_CHECK_ID, keys.digestForIndex(KEY_CHECK_ID, '')),
    ));
  if (keyCheckValue === null) throw new Error(`The key check value of the vault (${KEY_CHECK_ID}) was destroyed.`);
  verifyKeyCheckValue(keyCheckValue, keys);
}

/**
 * Compares the keys with a key check value that is not in the vault.
 * @throws KeyMismatch
 */
export function verifyKeyCheckValue(keyCheckValue: Uint8Array, keys: Keys): void {
  if (!decryptKeyCheckValue(keys, keyCheckValue).equals(keys.digestForIndex(KEY_CHECK_ID, '')))
    throw new KeyMismatch('KEY_PEPPER');
}

function decryptKeyCheckValue(keys: Keys, keyCheckValue: Uint8Array): Buffer {
  try {
    return keys.decrypt(VAULT_PURPOSE, KEY_CHECK_ID, keyCheckValue);
  } catch {
    throw new KeyMismatch('MASTER_KEY');
  }
}

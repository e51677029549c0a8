import type { Vault } from '../../kernel/vault.js';
import { VAULT, type Keys } from './keys.js';

/** Id of the mark. */
export const KEY_MARK = 'key check';

/** The store was sealed or hashed under other keys: with these nothing opens, and what they seal the right ones cannot open. */
export class OtherKeys extends Error {
  constructor(readonly variable: 'MASTER_KEY' | 'KEY_PEPPER') {
    super(`${variable} is not the one that this store was made with: bring that one back, or add it to ${variable}_PREVIOUS.`);
    this.name = 'OtherKeys';
  }
}

/** Holds the keys against the mark that the first start left in the vault; the first start leaves it. @throws OtherKeys */
export async function checkKeys(vault: Vault, keys: Keys): Promise<void> {
  const mark = (await vault.get(KEY_MARK)) ?? (await vault.put(KEY_MARK, keys.seal(VAULT, KEY_MARK, keys.index(KEY_MARK, ''))));
  if (mark === null) throw new Error(`The vault's mark, ${KEY_MARK}, was destroyed.`);
  checkMark(mark, keys);
}

/** The same with a mark that is not in the vault. @throws OtherKeys */
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

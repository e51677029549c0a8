import type { Vault } from '../../kernel/vault.js';
import type { Keys } from './keys.js';
import { decryptKept, encryptKept } from './sealing.js';

const ID = 'key check';

/** The store was sealed or hashed under other keys. Going on would answer nothing that is sealed, and seal anew what the right keys cannot open. */
export class OtherKeys extends Error {
  constructor(readonly variable: 'MASTER_KEY' | 'KEY_PEPPER') {
    super(`${variable} is not the one that this store was made with: bring that one back.`);
    this.name = 'OtherKeys';
  }
}

/** Holds the keys against the mark that the first start left in the vault; the first start leaves it. @throws OtherKeys */
export async function checkKeys(vault: Vault, keys: Keys): Promise<void> {
  const pepper = keys.digest(ID, '');
  const mark = (await vault.get(ID)) ?? (await vault.put(ID, encryptKept(keys.master, ID, pepper)));
  if (mark === null) throw new Error(`The vault's mark, ${ID}, was destroyed.`);
  if (!opened(keys, mark).equals(pepper)) throw new OtherKeys('KEY_PEPPER');
}

function opened({ master }: Keys, mark: Uint8Array): Buffer {
  try {
    return decryptKept(master, ID, mark);
  } catch {
    throw new OtherKeys('MASTER_KEY');
  }
}

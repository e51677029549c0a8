import type { Vault } from '../../kernel/vault.js';
import { type Keys, VAULT_PURPOSE } from './keys.js';

const PAGE = 200;

export interface EncryptAgainResult {
  /** Entries that this run has encrypted with the current master key. */
  readonly encrypted: number;
  /** Entries that the current master key had encrypted before, and destroyed entries. */
  readonly unchanged: number;
}

/**
 * Encrypts the vault entries of earlier master keys with the current one, while processes run. An interrupted run
 * leaves each entry valid, and the same command continues.
 */
export async function encryptAgain(
  vault: Vault,
  keys: Keys,
  onProgress: (done: EncryptAgainResult) => void,
  signal: AbortSignal,
): Promise<EncryptAgainResult> {
  let done: EncryptAgainResult = { encrypted: 0, unchanged: 0 };
  for (let after = ''; !signal.aborted;) {
    const entries = await vault.listEntries(after, PAGE);
    for (const { id, encrypted } of entries) {
      const isNew =
        encrypted !== null &&
        !keys.isCurrent(VAULT_PURPOSE, encrypted) &&
        (await vault.replace(id, encrypted, encryptEntryAgain(id, encrypted, keys)));
      done = isNew ? { ...done, encrypted: done.encrypted + 1 } : { ...done, unchanged: done.unchanged + 1 };
    }
    onProgress(done);
    if (entries.length < PAGE) break;
    after = entries.at(-1)!.id;
  }
  return done;
}

/** A vault entry is bound to its id. */
function encryptEntryAgain(id: string, encrypted: Uint8Array, keys: Keys): Uint8Array {
  return keys.encrypt(VAULT_PURPOSE, id, keys.decrypt(VAULT_PURPOSE, id, encrypted));
}

import type { Vault } from '../../kernel/vault.js';
import { type Keys, VAULT_PURPOSE } from './keys.js';

const PAGE = 200;

export interface ResealResult {
  /** Entries that this run has encrypted with the current master key. */
  readonly resealed: number;
  /** Entries that the current master key had encrypted before, and destroyed entries. */
  readonly unchanged: number;
}

/**
 * Encrypts the vault entries of earlier master keys with the current one, while processes run. An interrupted run
 * leaves each entry valid, and the same command continues.
 */
export async function reseal(
  vault: Vault,
  keys: Keys,
  onProgress: (done: ResealResult) => void,
  signal: AbortSignal,
): Promise<ResealResult> {
  let done: ResealResult = { resealed: 0, unchanged: 0 };
  for (let after = ''; !signal.aborted;) {
    const entries = await vault.listEntries(after, PAGE);
    for (const { id, sealed } of entries) {
      const isNew =
        sealed !== null &&
        !keys.isCurrent(VAULT_PURPOSE, sealed) &&
        (await vault.reseal(id, sealed, resealEntry(id, sealed, keys)));
      done = isNew ? { ...done, resealed: done.resealed + 1 } : { ...done, unchanged: done.unchanged + 1 };
    }
    onProgress(done);
    if (entries.length < PAGE) break;
    after = entries.at(-1)!.id;
  }
  return done;
}

/** A vault entry is bound to its id. */
function resealEntry(id: string, sealed: Uint8Array, keys: Keys): Uint8Array {
  return keys.seal(VAULT_PURPOSE, id, keys.open(VAULT_PURPOSE, id, sealed));
}

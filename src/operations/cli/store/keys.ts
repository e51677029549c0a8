import type { StoreKeys } from '../../../config/config.js';

/**
 * Checks that the keys encrypted what has this key check value, when both keys are there.
 * @throws KeyMismatch
 */
export async function checkStoreKeys(
  keyCheckValue: Uint8Array | null,
  { masterKey, keyPepper, ...previous }: StoreKeys,
): Promise<void> {
  if (keyCheckValue === null || masterKey === null || keyPepper === null) return;
  const [{ verifyKeyCheckValue }, { Keys }] = await Promise.all([
    import('../../../engine/encryption/key-check.js'),
    import('../../../engine/encryption/keys.js'),
  ]);
  verifyKeyCheckValue(keyCheckValue, Keys.from({ masterKey, keyPepper, ...previous }));
}

/** Returns the names of the key files that neither the folder nor a variable replaces. */
export function listMissingKeys({ masterKey, keyPepper }: StoreKeys): string[] {
  return [...(masterKey === null ? ['master.key'] : []), ...(keyPepper === null ? ['pepper.key'] : [])];
}

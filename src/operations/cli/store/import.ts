import { readStoreKeys } from '../../../config/config.js';
import { CliError, type OutputOptions, print, printToStderr, withStores } from '../cli.js';
import { formatArchive } from './format-archive.js';
import { checkStoreKeys, listMissingKeys } from './keys.js';

/** Imports a file into an empty store. Checks the file and the keys before the store and its keys are created. */
export async function importStore({ from, json }: OutputOptions & { readonly from: string }): Promise<void> {
  const [{ checkArchive }, { importFromFile }] = await Promise.all([
    import('../../migration/archive.js'),
    import('../../migration/import.js'),
  ]);
  const archive = await checkArchive(from);
  await requireKeys(archive.keyCheckValue);
  const imported = await withStores((ports, config) => importFromFile(from, archive, { ports, config, json }), {
    createsStore: true,
  });
  print({ import: imported }, { json }, formatArchive(imported));
  if (!json && !imported.moved) printToStderr('the store already contained the whole import');
}

/** Generated keys could read nothing of the import. @throws CliError, KeyMismatch */
async function requireKeys(keyCheckValue: Uint8Array | null): Promise<void> {
  const keys = readStoreKeys(process.env);
  const missing = keyCheckValue === null ? [] : listMissingKeys(keys);
  if (missing.length > 0)
    throw new CliError(
      `First copy ${missing.join(' and ')} of the service that was exported to ${keys.dataDir}, or set MASTER_KEY and KEY_PEPPER.`,
    );
  await checkStoreKeys(keyCheckValue, keys);
}

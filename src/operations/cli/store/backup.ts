import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readStoreKeys } from '../../../config/config.js';
import { createFolder } from '../../../kernel/create-folder.js';
import { CliError, loadConfig, type OutputOptions, print, printToStderr } from '../cli.js';
import { checkStoreKeys, listMissingKeys } from './keys.js';

const STORE_FILE = 'store.sqlite';
const KEYS_NOTICE =
  'The backup does not contain master.key and pepper.key. Encrypted data cannot be read without them. Store them in another place.';

/** Copies the embedded store. The service may run. */
export async function backupStore({ out, json }: OutputOptions & { readonly out: string }): Promise<void> {
  const file = requireEmbeddedFile(loadConfig());
  const to = join(out, STORE_FILE);
  if (existsSync(to)) throw new CliError(`${to} exists already`);
  createFolder(out);
  const { backUp } = await import('../../../stores/embedded/backup.js');
  backUp(file, to);
  print({ backup: { file: to } }, { json }, [`written: ${to}`]);
  if (!json) printToStderr(KEYS_NOTICE);
}

/**
 * Restores a backup into a folder without a store. Events recorded after the backup are lost; webhooks sent after it
 * are sent again.
 */
export async function restoreStore({ from, json }: OutputOptions & { readonly from: string }): Promise<void> {
  const config = readStoreKeys(process.env);
  const [source, file] = [join(from, STORE_FILE), requireEmbeddedFile(config)];
  if (!existsSync(source)) throw new CliError(`there is no file ${source}`);
  if ([file, `${file}-wal`].some((path) => existsSync(path))) throw new CliError(`there is a store at ${file} already`);
  const [{ checkIntegrity, readVaultEntry, restoreBackup }, { KEY_CHECK_ID }] = await Promise.all([
    import('../../../stores/embedded/backup.js'),
    import('../../../engine/encryption/key-check.js'),
  ]);
  checkIntegrity(source);
  await checkStoreKeys(readVaultEntry(source, KEY_CHECK_ID), config);
  createFolder(config.dataDir);
  restoreBackup(source, file);
  const missing = listMissingKeys(config);
  print({ restored: { file, missing_keys: missing } }, { json }, [`restored: ${file}`]);
  if (missing.length > 0 && !json)
    printToStderr(
      `Before the next start, copy ${missing.join(' and ')} of the service that was backed up to ${config.dataDir}, or set MASTER_KEY and KEY_PEPPER.`,
    );
}

function requireEmbeddedFile({ stores }: Pick<Config, 'stores'>): string {
  if ('file' in stores) return stores.file;
  throw new CliError(
    'back up EventStoreDB and MongoDB with their own tools; "store export" writes a file while the service is stopped',
  );
}

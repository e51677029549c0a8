import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/config.js';
import { CliError, loadConfig, type OutputOptions, print, printToStderr } from '../cli.js';

const STORE_FILE = 'store.sqlite';
const KEYS_NOTICE =
  'The backup does not contain master.key and pepper.key. Encrypted data cannot be read without them. Store them in another place.';

/** Copies the embedded store. The service may run. */
export async function backupStore({ out, json }: OutputOptions & { readonly out: string }): Promise<void> {
  const file = requireEmbeddedFile(loadConfig());
  if (!existsSync(file)) throw new CliError(`there is no store at ${file}`);
  const to = join(out, STORE_FILE);
  if (existsSync(to)) throw new CliError(`${to} exists already`);
  mkdirSync(out, { recursive: true, mode: 0o700 });
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
  const config = loadConfig();
  const [source, file] = [join(from, STORE_FILE), requireEmbeddedFile(config)];
  if (!existsSync(source)) throw new CliError(`there is no file ${source}`);
  if ([file, `${file}-wal`].some((path) => existsSync(path))) throw new CliError(`there is a store at ${file} already`);
  const { checkIntegrity, restoreBackup } = await import('../../../stores/embedded/backup.js');
  checkIntegrity(source);
  await checkStoreKeys(source, config);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  restoreBackup(source, file);
  print({ restored: { file } }, { json }, [`restored: ${file}`]);
}

/** Checks that the configured keys encrypted the backup. @throws KeyMismatch */
async function checkStoreKeys(file: string, config: Config): Promise<void> {
  const [{ readVaultEntry }, { verifyKeyCheckValue, KEY_CHECK_ID: KEY_MARK }, { Keys }] = await Promise.all([
    import('../../../stores/embedded/backup.js'),
    import('../../../engine/encryption/key-check.js'),
    import('../../../engine/encryption/keys.js'),
  ]);
  const mark = readVaultEntry(file, KEY_MARK);
  if (mark !== null) verifyKeyCheckValue(mark, Keys.from(config));
}

function requireEmbeddedFile({ stores }: Config): string {
  if ('file' in stores) return stores.file;
  throw new CliError(
    'back up EventStoreDB and MongoDB with their own tools; "store export" writes a file while the service is stopped',
  );
}

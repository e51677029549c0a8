import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { CannotDo, configured, print, remark, type Printing } from './toolbox.js';

const FILE = 'store.sqlite';
const KEYS =
  'The backup does not contain master.key and pepper.key. Encrypted data cannot be read without them. Store them in another place.';

/** Copies the embedded store. The service may run. */
export async function backupStore({ out, json }: Printing & { readonly out: string }): Promise<void> {
  const file = fileOf(configured());
  if (!existsSync(file)) throw new CannotDo(`there is no store at ${file}`);
  const to = join(out, FILE);
  if (existsSync(to)) throw new CannotDo(`${to} exists already`);
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const { backUp } = await import('../stores/embedded/backup.js');
  backUp(file, to);
  print({ backup: { file: to } }, { json }, [`written: ${to}`]);
  if (!json) remark(KEYS);
}

/**
 * Restores a backup into a folder without a store. Events recorded after the backup are lost; webhooks sent after it
 * are sent again.
 */
export async function restoreStore({ from, json }: Printing & { readonly from: string }): Promise<void> {
  const config = configured();
  const [source, file] = [join(from, FILE), fileOf(config)];
  if (!existsSync(source)) throw new CannotDo(`there is no file ${source}`);
  if ([file, `${file}-wal`].some((path) => existsSync(path))) throw new CannotDo(`there is a store at ${file} already`);
  const { lookThrough, putBack } = await import('../stores/embedded/backup.js');
  lookThrough(source);
  await checkKeysOf(source, config);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  putBack(source, file);
  print({ restored: { file } }, { json }, [`restored: ${file}`]);
}

/** Checks that the configured keys encrypted the backup. @throws KeyMismatch */
async function checkKeysOf(file: string, config: Config): Promise<void> {
  const [{ sealedIn }, { checkMark, KEY_MARK }, { Keys }] = await Promise.all([
    import('../stores/embedded/backup.js'),
    import('../engine/sealing/key-check.js'),
    import('../engine/sealing/keys.js'),
  ]);
  const mark = sealedIn(file, KEY_MARK);
  if (mark !== null) checkMark(mark, Keys.from(config));
}

function fileOf({ stores }: Config): string {
  if ('file' in stores) return stores.file;
  throw new CannotDo('back up EventStoreDB and MongoDB with their own tools; "store export" writes a file while the service is stopped');
}

import { Option, type Command } from 'commander';
import type { StoresAt } from '../stores/address.js';
import type { Counts } from './moving/belongings.js';
import { backupStore, restoreStore } from './store-backup.js';
import { fields } from './table.js';
import { atStores, configured, print, remark, withService, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

interface Copy extends Printing {
  readonly toDataDir?: string;
  readonly toEventStore?: string;
  readonly toMongodb?: string;
  readonly verify?: boolean;
}

const KEYS =
  'Secrets stay sealed by the master key, which does not travel: the new store is started with the same MASTER_KEY and KEY_PEPPER,' +
  ' or with master.key and pepper.key of the old data folder in the new one.';

const REWIND =
  'Every projection is built again by the next start; reactors go on from the end of the log, or from --since. Nothing is sent twice:' +
  ' what an event has caused already is recognised.';

export function storeCommand(): Command {
  return group('store', 'all that a service has, as a whole', 'store doctor', [
    command('doctor', 'look at all that a store promises: its log, its file, what was set aside', 'store doctor').action(examineStore),
    command('backup', 'copy the embedded store as it is now, with the service running or not', 'store backup --out /backups/monday')
      .requiredOption('--out <dir>', 'a folder')
      .action(backupStore),
    command('restore', 'bring such a copy back to where no store is', 'store restore --from /backups/monday')
      .requiredOption('--from <dir>', 'a folder that "store backup" has written')
      .addHelpText('after', '\nWhat was recorded since is gone, and what was sent since is sent again.')
      .action(restoreStore),
    command('reseal', 'seal what is in the vault under the current MASTER_KEY, with the service running or not', 'store reseal').action(
      resealStore,
    ),
    command('rewind', 'make documents and checkpoints fit a log that was restored, while no service runs on it', 'store rewind')
      .option('--since <time>', 'reactors see the events from this time on again, and derive lost jobs: ISO 8601')
      .addHelpText('after', `\n${REWIND}`)
      .action(rewindStore),
    command(
      'export',
      'write a store into a file: the log, and all that no rebuild brings back; on external stores while no service runs',
      'store export --out export.ndjson',
    )
      .requiredOption('--out <file>', 'a file that is not there yet; only its owner may read it')
      .addHelpText('after', `\n${KEYS}\nStopped by Ctrl-C it leaves nothing, and begins anew.`)
      .action(exportStore),
    command('import', 'fill an empty store from such a file', 'store import --from export.ndjson')
      .requiredOption('--from <file>', 'a file that "store export" has written')
      .addHelpText(
        'after',
        `\n${KEYS}\nAfter Ctrl-C or a crash the same command goes on from there; no service starts on the store before it is done.`,
      )
      .action(importStore),
    copyCommand(),
  ]);
}

function copyCommand(): Command {
  return command(
    'copy',
    'fill an empty store from this one, while no service runs on either, without a file',
    'store copy --to-data-dir /srv/data --verify',
  )
    .option('--to-data-dir <dir>', 'the embedded store of this folder')
    .addOption(new Option('--to-event-store <url>', 'esdb:// and where EventStoreDB is, for the log').env('COPY_TO_EVENT_STORE'))
    .addOption(new Option('--to-mongodb <url>', 'mongodb:// and where MongoDB is, for the rest').env('COPY_TO_MONGODB'))
    .option('--verify', 'hold the logs against each other, fold there what is read, and compare it')
    .addHelpText(
      'after',
      `\n${KEYS}\nGive an address that holds a password as a variable: other users of the machine see the words of a command.\n` +
        'After Ctrl-C or a crash the same command goes on from there.',
    )
    .action(copyStore);
}

async function examineStore(printing: Printing): Promise<void> {
  await (await import('./store-doctor.js')).examineStore(printing);
}

async function resealStore(printing: Printing): Promise<void> {
  await (await import('./store-reseal.js')).resealStore(printing);
}

async function rewindStore(options: Printing & { readonly since?: string }): Promise<void> {
  await (await import('./store-rewind.js')).rewindStore(options);
}

async function exportStore({ out, json }: Printing & { readonly out: string }): Promise<void> {
  const { exportTo } = await import('./moving/export.js');
  const { left_behind, ...written } = await withService((service) => exportTo(out, service, { json }));
  print({ export: { ...written, left_behind } }, { json }, linesOf(written));
  if (!json) [...left_behind, KEYS].forEach(remark);
}

async function importStore({ from, json }: Printing & { readonly from: string }): Promise<void> {
  const { importFrom } = await import('./moving/import.js');
  const imported = await atStores((ports, config) => importFrom(from, ports, config, { json }));
  print({ import: imported }, { json }, linesOf(imported));
  if (!json && !imported.moved) remark('all of it was there already');
}

async function copyStore(this: Command, { verify = false, json, ...to }: Copy): Promise<void> {
  const at = await targetIn(this, to);
  const config = configured();
  const [{ copyTo }, { readableAt }] = await Promise.all([import('./moving/copy.js'), import('./moving/readable.js')]);
  const { left_behind, ...copied } = await withService((service) => copyTo(service, { at, verify, json }), config);
  const projections = verify ? await readableAt(at, config, { json }) : null;
  const compared = projections?.map(({ build, documents }) => `${build}: ${documents} documents, each as the log tells`) ?? [];
  print({ copy: { ...copied, projections, left_behind } }, { json }, [
    copied.moved ? 'copied' : 'all of it was there already',
    ...(copied.events === null ? [] : [`${copied.events} events, the same in both`]),
    ...compared,
  ]);
  if (!json) [...left_behind, KEYS].forEach(remark);
}

async function targetIn(command: Command, { toDataDir, toEventStore, toMongodb }: Copy): Promise<StoresAt> {
  const [{ isAddress, mongoUrl, wrongInEventStore, wrongInMongo }, { storeFileIn }] = await Promise.all([
    import('../stores/address.js'),
    import('../config.js'),
  ]);
  if (toDataDir !== undefined && toEventStore === undefined && toMongodb === undefined) return { file: storeFileIn(toDataDir) };
  if (toDataDir !== undefined || toEventStore === undefined || toMongodb === undefined)
    return command.error('error: copy where? --to-data-dir, or --to-event-store and --to-mongodb');
  // Neither is printed: both may hold a password.
  const wrong = isAddress(toEventStore) ? wrongInEventStore(toEventStore) : 'expected esdb:// and where EventStoreDB is';
  if (wrong !== null) return command.error(`error: --to-event-store cannot be used: ${wrong}`);
  const wrongDocuments = mongoUrl(toMongodb) === undefined ? 'expected mongodb:// and where MongoDB is' : wrongInMongo(toMongodb);
  if (wrongDocuments !== null) return command.error(`error: --to-mongodb cannot be used: ${wrongDocuments}`);
  return { eventStore: toEventStore, mongodb: toMongodb };
}

function linesOf({ file, events, counts, sha256 }: { file: string; events: number; counts: Counts; sha256: string }): string[] {
  const { key, claim, job, note, checkpoint } = counts;
  return fields({ file, events, keys: key, claims: claim, jobs: job, notes: note, checkpoints: checkpoint, sha256 });
}
